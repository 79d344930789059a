#!/usr/bin/env bash
# Runs the GPU sweep, the GPU tests, the composites, their fast paths, the reference networks, the runs over all pairs, a sweep in
# shards, one on several devices, the time of a first call, the callers, the speed table, compute-sanitizer and the comparison with NVIDIA's headers and PyTorch,
# from the folder that ci/gpu-bundle.sh made:
# run.sh [OUTDIR] [PART...], parts: sweep tests composites tiles networks exhaustive shards devices load callers speed
# graphs tensors sanitize compare (default: all).
# Reports go to OUTDIR (default: here). ONLY: an extended regular expression that the names of tests have to match.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")" || exit 2
report=$(realpath -m "${1:-.}")
shift || true
[ $# -gt 0 ] || set -- sweep tests composites tiles networks exhaustive shards devices load callers speed graphs tensors sanitize compare
mkdir -p "$report"
chmod +x sweep speed tensor_speed gpu-tests
# The fat binary, which a user's process loads too; PTX is for the part `load`.
export BITEXACT_PTX=$PWD/bitexact.fatbin CUDA_CACHE_MAXSIZE=1073741824
failed=0

part() {
    local name=$1 begin=$SECONDS rc=0
    shift
    printf '\n==== %s\n' "$name"
    "$@" || rc=$?
    printf '==== %s: exit status %d after %d s\n' "$name" "$rc" $((SECONDS - begin))
    [ "$rc" = 0 ] || failed=1
}

sweep() {
    local rc=0
    ./sweep run --backend cuda --ptx bitexact.fatbin --golden golden --json "$report/gpu-sweep.json" \
        >"$report/gpu-sweep.txt" 2>"$report/gpu-sweep.log" || rc=$?
    head -1 "$report/gpu-sweep.log"
    if [ "$rc" != 0 ]; then
        tail -5 "$report/gpu-sweep.log"
        grep -vE ' equal *$' "$report/gpu-sweep.txt" | head -60
    fi
    tail -4 "$report/gpu-sweep.txt"
    # Each row's line: inputs, digests, runs of faster paths.
    awk '/ digests, / { rows++; gsub(",", ""); for (k = 2; k <= NF; k++) { if ($k == "digests") d += $(k - 1); if ($k == "runs") p += $(k - 1) } }
        END { printf "%d rows, %d digests made on the device, %d whole runs of faster paths\n", rows, d, p }' "$report/gpu-sweep.log"
    return "$rc"
}

dump() {
    local rc=0
    ./sweep dump sqrt.bf16 --rounding toward-positive --flags --backend cuda --ptx bitexact.fatbin >/tmp/bitexact-gpu.bin &&
        ./sweep dump sqrt.bf16 --rounding toward-positive --flags >/tmp/bitexact-host.bin &&
        cmp /tmp/bitexact-gpu.bin /tmp/bitexact-host.bin && echo "sweep dump --backend cuda: equal to the host's" || rc=1
    # One row directly against an oracle, not against digests.
    ./sweep run --backend cuda --ptx bitexact.fatbin --op fma.bf16.bf16.f32.f32,hardswish_backward.f16 --oracle rational 2>&1 | tail -4 || rc=1
    return "$rc"
}

# The devices on which tests run, in turn.
gpus=${CUDA_VISIBLE_DEVICES:-$(nvidia-smi --query-gpu=index --format=csv,noheader | paste -sd, -)}
# device: the one of the job of this number, which xargs counts.
device() {
    local list
    IFS=, read -ra list <<<"$gpus"
    echo "${list[$((SLOT % ${#list[@]}))]}"
}
export gpus
export -f device

# each NAME...: these tests, each by itself, JOBS at a time; a test that prints what it compared also says how much of that differs.
each() {
    [ $# -gt 0 ] || return 1
    # one NAME: if it did not run, that is a failure too.
    one() {
        local out="$report/gpu-test-${1//:/_}.txt" code=0 begin=$SECONDS
        CUDA_VISIBLE_DEVICES=$(device) ./gpu-tests --include-ignored --exact "$1" --nocapture >"$out" 2>&1 || code=$?
        [ "$code" != 0 ] || grep -q '^test result: ok. 1 passed' "$out" || code=1
        grep -E ' differ' "$out"
        echo "$1: exit status $code after $((SECONDS - begin)) s"
        [ "$code" = 0 ] || tail -40 "$out"
        return "$code"
    }
    export report
    export -f one
    printf '%s\n' "$@" | xargs -P "${JOBS:-4}" --process-slot-var=SLOT -L 1 bash -c 'one "$@"' one
}

# The names of tests: all, or with --ignored those that need a GPU.
names() { ./gpu-tests --list "$@" 2>/dev/null | sed -n 's/^\([^ ]*\): test$/\1/p' | grep -E -- "${ONLY:-.}"; }

# Composites, their fast entries and networks are separate parts.
tests() { each $(names | grep -vE '^(composites|tiles|networks)::'); }

# counted PART: the tests of that name.
counted() { each $(names | grep "^$1::"); }

# Checked on the device itself: all pairs, and all f32 operands of conversions, in all modes; of fma's triples, two
# parts whose first operand is 1 and the numbers above it: 2^40 against the hardware in ties-to-even, 2^35 against the
# reference in all modes, flags included.
exhaustive() {
    local rc=0
    check() {
        timeout "${LIMIT:-200}" ./sweep run --exhaustive --backend cuda --ptx bitexact.fatbin --restart --checkpoint /tmp/bitexact-gpu.json "$@" \
            2>"$report/gpu-exhaustive.log" || { rc=1; tail -3 "$report/gpu-exhaustive.log"; }
    }
    {
        check --oracle device --op "$(printf '%s,' {add,sub,mul,div}{.f16,.bf16,.f16.f16.f32,.bf16.bf16.f32} | sed 's/,$//')"
        check --oracle device --op 'convert.f32.*16,convert.f32.e*,mxint8_encode*.f32'
        check --op fma.f16 --rounding ties-to-even --overflow ieee --shard 61/256
        check --op fma.bf16 --rounding ties-to-even --overflow ieee --shard 64/256
        check --oracle device --op fma.f16 --shard 1921/8192
        check --oracle device --op fma.bf16 --shard 2033/8192
    } >"$report/gpu-exhaustive.txt"
    cat "$report/gpu-exhaustive.txt"
    return "$rc"
}

# Rows in four shards: each gives digests only, and the merge compares their sums with the golden ones.
shards() {
    local shard rc=0
    rm -rf /tmp/bitexact-shards
    for shard in 1 2 3 4; do
        ./sweep run --backend cuda --ptx bitexact.fatbin --golden golden --op 'exp*,fma*,convert*,e8m0_*' --shard "$shard/4" --out /tmp/bitexact-shards \
            >/dev/null 2>"$report/gpu-shards.log" || { rc=1; tail -3 "$report/gpu-shards.log"; }
    done
    ./sweep merge /tmp/bitexact-shards --golden golden >"$report/gpu-shards.txt" || rc=1
    [ "$rc" = 0 ] || grep -v ' equal ' "$report/gpu-shards.txt" | tail -20
    tail -1 "$report/gpu-shards.txt"
    return "$rc"
}

# 2^40 triples on one device, then on 2, 4 and 8 where there are so many: the same counts, and the time.
devices() {
    local found some list line counts one=""
    found=$(nvidia-smi --list-gpus | wc -l)
    if [ "$found" -lt 2 ]; then
        echo "one GPU: NOT RUN"
        return 0
    fi
    for some in 1 2 4 8; do
        [ "$some" -le "$found" ] || break
        list=$(seq -s, 0 $((some - 1)))
        ./sweep run --exhaustive --backend cuda --ptx bitexact.fatbin --restart --checkpoint /tmp/bitexact-devices.json --oracle device \
            --op fma.bf16 --rounding toward-zero --overflow ieee --shard 65/256 --device "$list" \
            >"$report/gpu-devices-$some.txt" 2>"$report/gpu-devices.log" || { tail -3 "$report/gpu-devices.log"; return 1; }
        line=$(grep '^fma.bf16 ' "$report/gpu-devices-$some.txt")
        echo "$some devices: $line"
        # All but the seconds.
        counts=$(sed 's/ *[0-9.]*$//' <<<"$line")
        [ "$counts" = "${one:=$counts}" ] || { echo "they differ"; return 1; }
    done
}

# The seconds that a first call takes in a new process: PTX without and with the driver's cache, and the fat binary,
# which needs none.
load() {
    local what image rc=0 begin cache
    cache=$(mktemp -d)
    for what in "PTX, compiled by the driver:ptx" "PTX, from the driver's cache:ptx" "fat binary:bitexact.fatbin"; do
        image=${what##*:}
        [ "$image" = ptx ] || cache=$(mktemp -d)
        begin=$EPOCHREALTIME
        CUDA_CACHE_PATH=$cache ./sweep run --backend cuda --ptx "$image" --golden golden --op exp.bf16 --rounding ties-to-even \
            >/dev/null 2>"$report/gpu-load.log" || { rc=1; tail -3 "$report/gpu-load.log"; }
        awk -v what="${what%:*}" -v a="$begin" -v b="$EPOCHREALTIME" 'BEGIN { printf "%s: %.2f s for a process that sweeps exp.bf16\n", what, b - a }'
    done
    echo "bitexact.fatbin: $(stat -c %s bitexact.fatbin) bytes"
    return "$rc"
}

# CUDA C++ and a Rust program that call the kernels; built again where there is an nvcc.
callers() {
    local architecture module objects=() rc=0
    chmod +x callers/example
    callers/example callers/swiglu.ptx speed || rc=1
    if command -v nvcc >/dev/null; then
        architecture=$(basename callers/bitexact_callers_*.ptx.gz .ptx.gz)
        architecture=${architecture#bitexact_callers_}
        nvcc --version | tail -2 | head -1
        for module in "bitexact_callers_$architecture" "bitexact_fast_$architecture" faulty; do
            gzip -dc "callers/$module.ptx.gz" >"/tmp/$module.ptx"
            ptxas -c -arch="$architecture" -o "/tmp/$module.cubin" "/tmp/$module.ptx" &&
                nvcc -arch="$architecture" -dc "/tmp/$module.cubin" -o "/tmp/$module.o" || rc=1
            objects+=("/tmp/$module.o")
        done
        nvcc -arch="$architecture" -std=c++17 -rdc=true callers/example*.cu "${objects[@]}" -o /tmp/bitexact-example &&
            /tmp/bitexact-example callers/swiglu.ptx || rc=1
    fi
    return "$rc"
}

speed() { ./speed bitexact.fatbin | tee "$report/gpu-speed.txt"; }

# Functions of shorter tensors in CUDA graphs, beside PyTorch's.
graphs() { python3 ./graphs.py ./speed bitexact.fatbin | tee "$report/gpu-graphs.md"; }

# The composites on tensors beside PyTorch.
tensors() { python3 ./tensors.py ./tensor_speed bitexact.fatbin | tee "$report/gpu-tensors.md"; }

# Each test that needs a GPU by itself, eight at a time, on reduced data: all under memcheck; those with shared memory under
# racecheck too, but for checks over 2^32 operands, which it would watch for many minutes.
sanitize() {
    local tool name
    tool=$(command -v compute-sanitizer || ls /usr/local/cuda*/bin/compute-sanitizer 2>/dev/null | head -1)
    if [ -z "$tool" ]; then
        echo "compute-sanitizer is not here: NOT RUN"
        return 0
    fi
    # watch CHECK NAME: one test; if it did not run, that is a failure too.
    watch() {
        local out="$report/gpu-$1-${2//:/_}.txt" code=0
        CUDA_VISIBLE_DEVICES=$(device) BITEXACT_REDUCED=1 timeout 900 "$tool" --tool "$1" --error-exitcode 9 \
            ./gpu-tests --include-ignored --exact "$2" >"$out" 2>&1 || code=$?
        [ "$code" != 0 ] || grep -q '^test result: ok. 1 passed' "$out" || code=1
        echo "$1 $2: exit status $code; $(sed -n 's/^test result: ok. \([0-9]* passed\).* in \(.*\)$/\1 in \2/p' "$out"); $(grep SUMMARY "$out")"
        return "$code"
    }
    export tool report
    export -f watch
    for name in $(names --ignored); do
        case $name in
        *faults_* | *wrong_* | *more_elements* | *what_does_not_fit*) ;;
        networks::small*) echo "memcheck $name" ;;
        networks::*) ;;
        *any_length* | *paths_are* | *codes_in_words* | digits::* | composites::*) echo "memcheck $name" ;;
        *) printf '%s\n' "racecheck $name" "memcheck $name" ;;
        esac
    done | LC_ALL=C sort -r | xargs -P "${JOBS:-8}" --process-slot-var=SLOT -L 1 bash -c 'watch "$@"' watch
}

compare() { python3 ./compare.py . --out /tmp/bitexact-compare | tee "$report/gpu-compare.md"; }

echo "commit: $(cat version)"
echo "date: $(date -u +%F)"
echo "machine: $(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader | paste -sd';' || echo 'nvidia-smi is not here')"
uname -srm
nvidia-smi --query-gpu=name,driver_version,memory.total,clocks.max.sm --format=csv,noheader || true
for packed in ptx/*.ptx.gz; do
    [ -f "${packed%.gz}" ] || gzip -dc "$packed" >"${packed%.gz}"
done
for name; do
    case $name in
    sweep) part sweep sweep; part "dump and oracle" dump ;;
    tests) part tests tests ;;
    composites | tiles | networks) part "$name" counted "$name" ;;
    exhaustive) part exhaustive exhaustive ;;
    shards) part shards shards ;;
    devices) part devices devices ;;
    load) part load load ;;
    callers) part callers callers ;;
    speed) part speed speed ;;
    graphs) part graphs graphs ;;
    tensors) part tensors tensors ;;
    sanitize) part sanitize sanitize ;;
    compare) part compare compare ;;
    *) echo "run.sh has no part $name"; failed=1 ;;
    esac
done
printf '\n%s\n' "$([ "$failed" = 0 ] && echo 'ALL PARTS PASSED' || echo 'SOMETHING FAILED')"
exit "$failed"
