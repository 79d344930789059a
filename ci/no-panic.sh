#!/usr/bin/env bash
# Checks that no kernel listed in ci/no-panic/src/entries.rs can panic in release, at opt-level 3 and s: the panic
# handler calls a symbol that does not exist, so a panic that survives fails the link. A canary that can panic must fail
# it. ci/no-panic.sh [TARGET[:PROFILE]...]: `host`, thumbv7em-none-eabi, thumbv6m-none-eabi; `release` or `size`; all without
# an argument, and both profiles of a target without one.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
symbol=bitexact_a_panic_survived
[ $# -gt 0 ] || set -- host thumbv7em-none-eabi thumbv6m-none-eabi
host=$(rustc -vV | sed -n 's/^host: //p')
[[ "$*" =~ ^host[a-z:]*$ ]] || source ci/setup-cross.sh

# in_test TARGET PROFILE SUBCOMMAND ARGUMENT...: runs a cargo subcommand in ci/no-panic.
in_test() {
    local cargo=(cross_cargo "$1" "$3")
    [ "$1" != "$host" ] || cargo=(env CARGO_TARGET_DIR="$TARGET_DIR/cross" cargo "$3" --target "$1")
    "${cargo[@]}" --locked --manifest-path ci/no-panic/Cargo.toml --profile "$2" "${@:4}"
}

# where_it_panics TARGET PROFILE: the function, source line and kind of each remaining panic, from the assembly.
where_it_panics() {
    local assembly="$TARGET_DIR/cross/$1/$2/deps"
    rm -f "$assembly"/no_panic-*.s
    in_test "$1" "$2" rustc --quiet -- --emit=asm >/dev/null 2>&1 || true
    awk '/^[ \t]*\.file[ \t]+[0-9]/ { n = $2; gsub(/.*[ \t]"|"[^"]*$/, ""); file[n] = $0 }
         /^[_A-Za-z][^ \t]*:/ { within = $1 }
         /^[ \t]*\.loc/ { at = file[$2] ":" $3 }
         /^[ \t]+(call|jmp|bl|b)[a-z.]*[ \t].*panicking/ && within !~ /panicking/ { print within, at, $2 }' \
        "$assembly"/no_panic-*.s | sort -u
}

for one; do
    target=${one%:*}
    target=${target/#host/$host}
    profiles=(release size)
    [[ $one != *:* ]] || profiles=("${one#*:}")
    for profile in "${profiles[@]}"; do
        say "$target, $profile"
        if ! in_test "$target" "$profile" build; then
            where_it_panics "$target" "$profile" || true
            die "a panic survived (or the build failed) for $target, $profile"
        fi
        if output=$(in_test "$target" "$profile" build --features canary 2>&1); then
            die "the canary linked: this test cannot fail"
        fi
        grep -q "undefined .*$symbol" <<<"$output" || die "the canary failed for another reason than $symbol: $output"
        echo "linked without a panic; the canary did not link"
    done
done
