"""Plants faults in a copy of the tree: see ci/mutants.sh."""

import hashlib
import itertools
import json
import os
import shutil
import subprocess
import sys
import time
import threading
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

FAULTS = "ci/mutants/faults.toml"
# An endless loop is a fault that was found. A machine that does other work needs more seconds.
LIMIT = int(os.environ.get("MUTANTS_LIMIT", "900"))
# Faults of one check that are done one after the other in the same copy of the tree.
BATCH = 4
KINDS = ("rows", "simd", "test", "command")
# The scripts that commands run, and what builds the sources that they test: a fault that does not compile is not found by
# their failure.
BUILD = {
    "ci/constants.sh": "true",
    "ci/gpu-emulated.sh": "CARGO_PROFILE_RELEASE_DEBUG=0 cargo build --quiet --locked --release -p emulated-cuda --features bodies",
}


def git(*arguments):
    return subprocess.run(["git", *arguments], capture_output=True, text=True, check=True).stdout


def script(command):
    """The script that a line of bash runs."""
    names = command.split()
    return names[1] if names[0] == "bash" else None


def read_faults():
    """The faults; ends with status 2 where one is malformed or stale."""
    faults = tomllib.loads(Path(FAULTS).read_text())["fault"]
    wrong = []
    for fault in faults:
        kinds = [kind for kind in KINDS if kind in fault]
        if len(kinds) != 1 or fault["old"] == fault["new"]:
            wrong.append(f"{fault['what']}: it needs one check, and another text")
            continue
        if kinds == ["command"] and script(fault["command"]) not in BUILD:
            wrong.append(f"{fault['what']}: its command is not `bash` and one of {', '.join(BUILD)}")
        fault["check"] = (kinds[0], fault[kinds[0]], fault.get("only", "none"))
        found = Path(fault["file"]).read_text().count(fault["old"])
        if found != 1:
            wrong.append(f"{fault['what']}: its text is in {fault['file']} {found} times")
    names = [fault["what"] for fault in faults]
    wrong += [f"{name}: twice" for name in set(names) if names.count(name) > 1]
    if wrong:
        print("the list is stale:", *wrong, sep="\n  ")
        sys.exit(2)
    return faults


def copy_tree(tree):
    """Makes `tree` the working tree's copy; files that are equal stay, so that builds are incremental."""
    names = [n for n in git("ls-files", "-co", "--exclude-standard", "-z").split("\0") if n and Path(n).is_file()]
    for name in names:
        to = tree / name
        if not to.is_file() or to.read_bytes() != Path(name).read_bytes():
            to.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(name, to)
    kept = set(names)
    for path in tree.rglob("*"):
        if path.is_file() and str(path.relative_to(tree)) not in kept:
            path.unlink()


class Check:
    """A check: the command that builds it, and the one that must fail."""

    def __init__(self, check, place):
        kind, what, only = check
        self.tree = place / "tree"
        self.environment = os.environ | {"CARGO_TARGET_DIR": str(place / "target"), "CARGO_INCREMENTAL": "1"}
        cargo = "cargo"
        if kind == "rows":
            self.environment["BITEXACT_ONLY"] = what
            cargo = f"{cargo} build --quiet --locked --profile sweep-dev -p host-tests --bin sweep"
            self.build, self.run = cargo, f"{place}/target/sweep-dev/sweep run --op {what} --oracle golden"
        elif kind == "simd":
            self.environment["BITEXACT_ONLY"] = what
            cargo = f"{cargo} build --quiet --locked --profile sweep-dev -p host-tests --features slices --bin sweep"
            self.build, self.run = cargo, f"{place}/target/sweep-dev/sweep run --op {what} --backend host-simd"
        elif kind == "test":
            # The crates of host-tests as the sweep has them, with the rows that the test is of alone.
            quick = "--profile sweep-dev " if "host-tests" in what else ""
            if quick:
                self.environment["BITEXACT_ONLY"] = only
            names = what.split()
            filters = [] if names[-2] in ("-p", "--test") else [names.pop()]
            cargo = f"{cargo} test --locked {quick}{' '.join(names)}"
            self.build, self.run = f"{cargo} --no-run --quiet", f"{cargo} -- {' '.join(filters)}"
        else:
            self.build, self.run = BUILD[script(what)], what
        self.counted = kind == "test"

    def shell(self, line):
        """The exit status and the output of a line; no status where it ran past the limit."""
        command = ["timeout", "--kill-after=5", str(LIMIT), "bash", "-c", line]
        done = subprocess.run(
            command, cwd=self.tree, env=self.environment, stdin=subprocess.DEVNULL, capture_output=True, text=True
        )
        return (None if done.returncode == 124 else done.returncode), done.stdout + done.stderr

    def fails(self):
        """Whether the check fails; or why it says nothing."""
        status, output = self.shell(self.build)
        if status != 0:
            return f"it does not build\n{output[-2000:]}"
        status, output = self.shell(self.run)
        if self.counted and status == 0 and not any(
            line.startswith("test result: ok") and " 0 passed" not in line for line in output.splitlines()
        ):
            return f"no test ran\n{output[-2000:]}"
        return status != 0


def verdict(fault, check, tree):
    """What becomes of one fault."""
    path = tree / fault["file"]
    text = path.read_text()
    path.write_text(text.replace(fault["old"], fault["new"]))
    try:
        failed = check.fails()
    finally:
        path.write_text(text)
    if isinstance(failed, str):
        return f"ERROR: {failed}"
    excuse = next((word for word in ("equal", "slack") if word in fault), None)
    if excuse:
        return f"NOT {excuse}" if failed else excuse
    return "caught" if failed else "SURVIVED"


def identity(fault):
    stated = {key: value for key, value in fault.items() if key != "check"}
    return hashlib.sha256(json.dumps(stated, sort_keys=True).encode()).hexdigest()[:12]


def score(faults, results):
    """How many of the faults have each verdict."""
    count = {}
    for fault in faults:
        name = results.get(identity(fault), {"verdict": "not run"})["verdict"]
        count[name] = count.get(name, 0) + 1
    return f"{len(faults)} faults: " + ", ".join(f"{number} {name}" for name, number in sorted(count.items()))


def main(place, arguments):
    listed = "--list" in arguments
    jobs = next((int(text.removeprefix("--jobs=")) for text in arguments if text.startswith("--jobs=")), 1)
    texts = [text for text in arguments if not text.startswith("--")]
    faults = read_faults()
    chosen = [
        fault
        for fault in faults
        if not texts or any(text in " ".join([fault["what"], fault["file"], *fault["check"][:2]]) for text in texts)
    ]
    if listed or not chosen:
        print(f"{len(faults)} faults, {len(chosen)} chosen; each text is in its file once")
        return 0 if chosen else 2
    saved = place / "results.json"
    results = json.loads(saved.read_text()) if saved.is_file() else {}
    if "--rest" in arguments:
        chosen = [fault for fault in chosen if identity(fault) not in results]
    commit = git("rev-parse", "--short", "HEAD").strip() + ("+" if git("status", "--porcelain") else "")
    place.mkdir(parents=True, exist_ok=True)
    lock, free = threading.Lock(), [place / f"{number}" for number in range(jobs)]
    worst = 0

    def say(status, line):
        nonlocal worst
        with lock:
            worst = max(worst, status)
            print(line, flush=True)

    def run(which, batch):
        """Runs a batch in a copy of the tree that no other batch uses meanwhile."""
        with lock:
            here = free.pop()
        try:
            tree = here / "tree"
            tree.mkdir(parents=True, exist_ok=True)
            copy_tree(tree)
            check = Check(which, here)
            failed = check.fails()
            if failed is not False:
                say(2, f"ERROR: {' '.join(which[:2])} fails without a fault: {failed}")
                return
            for fault in batch:
                begin = time.monotonic()
                said = verdict(fault, check, tree)
                seconds = round(time.monotonic() - begin)
                status = 2 if said.startswith("ERROR") else int(said[0].isupper())
                say(status, f"{said}: {fault['what']} ({' '.join(which[:2])}, {seconds} s)")
                if status != 2:
                    with lock:
                        results[identity(fault)] = {"verdict": said, "seconds": seconds, "commit": commit}
                        saved.write_text(json.dumps(results))
        finally:
            with lock:
                free.append(here)

    with ThreadPoolExecutor(jobs) as pool:
        waiting = []
        for which in dict.fromkeys(fault["check"] for fault in chosen):
            same = iter([fault for fault in chosen if fault["check"] == which])
            # One worker has no use for batches: the check without a fault would run again for each.
            while batch := list(itertools.islice(same, BATCH if jobs > 1 else None)):
                waiting.append(pool.submit(run, which, batch))
        for future in waiting:
            future.result()
    print(score(faults, results))
    return worst


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve(), sys.argv[2:]))
