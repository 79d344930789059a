#!/usr/bin/env bash
# Checks that the GPU crate compiles to PTX for each architecture given (default: all four), with the entries of
# cuda-shim/entries.txt, no float instruction (except in entries named .._hw, .._rn, .._fma and .._fma_mma: .._rn use the four
# f32 operations, each rounded to nearest by itself, .._fma sums, products, quotients, reciprocals, fused multiply-adds and conversions likewise), no call of an undefined function and no trap; and that ptxas assembles
# it without a spill (one has a few). Leaves bitexact_sm_NN.ptx, what ptxas makes of it (.cubin) and registers_sm_NN.txt in ptx/ of the target folder.
source "$(dirname "${BASH_SOURCE[0]}")/setup-cross.sh"

[ $# -gt 0 ] || set -- sm_75 sm_80 sm_90 sm_100
python_packages nvidia-cuda-nvcc==13.5.37
ptxas=$PACKAGES/nvidia/cu13/bin/ptxas
out=$TARGET_DIR/ptx
mkdir -p "$out"

# instructions FILE: each entry has no float instructions but those of its class.
instructions() {
    # Entries named .._hw use the hardware's functions: only they may have any float instruction, approximations
    # included. Entries named .._rn, and functions of nn/, which only they call, have sums, differences, products and
    # quotients in f32 to nearest, and comparisons and signs, which do not round. Entries named .._fma have sums and products in
    # f32 and f64, fused ones (some then brought between 0 and 1), quotients and reciprocals, conversions between f32 and f16 or f64 and of integers, all to nearest. Entries named
    # unit_.._mma have the tensor cores' products of floats (below). These lines are blank in the input of the next gates.
    awk '/\.(entry|func) / { hw = $0 ~ /_hw\(/; rn = /_rn\(/ || /^\.func.*8bitexact2nn/; fma = /_fma(_mma)?\(/; unit = / unit_[a-z0-9_]+_mma\(/ }
        unit && /^[ \t]+(@!?%p[0-9]+[ \t]+)?mma\.sync\./ { print ""; next }
        fma && /^[ \t]+(@!?%p[0-9]+[ \t]+)?((div|rcp)\.rn\.f(32|64)|((add|sub|mul)\.rn|setp\.[a-z]+|abs|neg|min|max)\.f(32|64)|fma\.rn(\.sat)?\.f(32|64)|cvt\.f32\.f16|cvt\.rn\.f32\.f64|cvt\.f64\.f32|cvt\.rn\.f16\.f32|cvt\.rn\.f32\.([su](8|16|32)|s64))[ \t]/ { fused += /fma\./; print ""; next }
        rn && /^[ \t]+(@!?%p[0-9]+[ \t]+)?((add|sub|mul|div)\.rn|setp\.[a-z]+|abs|neg|copysign)\.f32[ \t]/ { rounded += /\.rn\./; print ""; next }
        { print hw ? "" : $0 }
        END { if (!rounded || !fused) print "no f32 instruction in entries named _rn or _fma" >"/dev/stderr"; exit !rounded || !fused }' "$1" >"$out/without_hw.ptx" ||
        die "the gate for entries named _rn or _fma checks nothing"
    # Float types may only be named where bits are moved: a load, a store, a move, a select.
    integers_only "$out/without_hw.ptx"
    if grep -nE '\.approx\b' "$out/without_hw.ptx"; then
        die "$1 has approximations outside of entries named _hw"
    fi
    rm "$out/without_hw.ptx"
    # In those entries a sum or product must name its rounding, so that ptxas does not fuse it.
    if grep -nE '^[[:space:]]+(@!?%p[0-9]+[[:space:]]+)?(add|sub|mul|fma|div|sqrt)\.(sat\.)?(b?f16x?2?|f32|f64)\b' "$1"; then
        die "$1 has float instructions without a rounding"
    fi
    # The only external symbol is a block's shared memory, whose size the launch sets. Three of the approximations are of normal
    # numbers alone.
    if grep -nE '\.(ftz|full|contract)\b|\.extern\b|\b(trap|brkpt|vprintf|__assertfail)\b' "$1" |
        grep -vE '^[0-9]+:(\.extern \.shared \.align 16 \.b8 block_memory\[\];$|[[:space:]]+(ex2|rcp|sqrt)\.approx\.ftz\.f32 )'; then
        die "$1 has flush-to-zero, an approximation, an external symbol or a trap"
    fi
    # The tensor cores multiply integers alone, and only for entries named .._mma; for those named unit_.._mma floats alone.
    awk '/\.(entry|func) / { mma = /_mma\(/; unit = / unit_[a-z0-9_]+_mma\(/ }
        /^[ \t]+(@!?%p[0-9]+[ \t]+)?(w?mma|wgmma|tcgen05)\./ {
            integers = /mma\.sync\.aligned\.m16n8k32\.row\.col\.s32\.s8\.s8\.s32 /
            floats = /mma\.sync\.aligned\.m16n8k(16\.row\.col\.f32\.(bf16\.bf16|f16\.f16)|8\.row\.col\.f32\.tf32\.tf32)\.f32 /
            if (!mma || !(unit ? floats : integers)) { print; bad = 1 }
        }
        END { exit bad }' "$1" || die "$1 has products on tensor cores of another kind, or elsewhere"
}

# gate FILE ARCHITECTURE
gate() {
    local entries
    grep -qx "\.target $2" "$1" || die "$1 is not for $2"
    instructions "$1"
    # The entries and the sizes of their parameters must be exactly those of the list.
    awk '/\.entry / { name = $3; sub(/\(.*/, "", name); line = name; open = 1 }
        open && /\.param .*\[[0-9]+\]/ { match($0, /\[[0-9]+\]/); line = line " " substr($0, RSTART + 1, RLENGTH - 2); next }
        open && /\.param/ { for (k = 1; k <= NF; k++) if ($k ~ /^\.[bu](8|16|32|64)$/) { line = line " " substr($k, 3) / 8; break } }
        open && /^\)/ { print line; open = 0 }' "$1" | LC_ALL=C sort >"$out/entries_$2.txt"
    # There is no entry for an instruction that the architecture lacks.
    diff <(awk '$8 == "-" { gsub(",", " ", $9); print $1, $9 }' cuda-shim/entries.txt | LC_ALL=C sort |
        case $2 in sm_7*) grep -v '_bf16_hw \|_mma ' ;; *) cat ;; esac) "$out/entries_$2.txt" || die "the entries of $1 (>) are not those of cuda-shim/entries.txt (<)"
    entries=$(wc -l <"$out/entries_$2.txt")
    rm "$out/entries_$2.txt"
    say "$2: $entries entries, $(wc -c <"$1") bytes of PTX"
}

# spills: no line (entry, registers, stack, bytes of spills) has any, but for one entry. With 16 warps a block, for which a
# multiprocessor just has the registers, gemm_exact_mma keeps up to 18 words that only its outer loops use in memory, and is faster than
# with 8 (cuda-shim/evidence/tensors.md).
spills() { awk '$4 > ($1 == "gemm_exact_mma" ? 188 : 0) { print "spills: " $0; bad = 1 } END { exit bad }'; }

# assemble FILE ARCHITECTURE: registers by entry, and no spills.
assemble() {
    "$ptxas" -arch="$2" -v -o "$out/bitexact_$2.cubin" "$1" 2>"$out/ptxas_$2.log" || { cat "$out/ptxas_$2.log"; die "ptxas rejects $1"; }
    awk -F"'" '/Compiling entry function/ { name = $2 }
        /bytes stack frame/ { split($0, n, " "); stack = n[1]; spill = n[5] + n[9] }
        /Used [0-9]+ registers/ { match($0, /Used [0-9]+/); print name, substr($0, RSTART + 5, RLENGTH - 5), stack, spill }' \
        "$out/ptxas_$2.log" | sort >"$out/registers_$2.txt"
    spills <"$out/registers_$2.txt" || die "$2 spills registers"
    # Functions that entries call, too: in the log they follow the entry's own line.
    awk '/Compiling entry function/ { own = 1 } /bytes stack frame/ { if (!own && $5 + $9 > 0) { print; bad = 1 } own = 0 } END { exit bad }' "$out/ptxas_$2.log" ||
        die "$2 spills registers in a function"
    rm "$out/ptxas_$2.log"
    [ -s "$out/registers_$2.txt" ] || die "ptxas reported no registers for $2"
    awk '/_shared / && $2 > 64 { print "too many registers for 1024 threads: " $0; bad = 1 } END { exit bad }' "$out/registers_$2.txt" || die "$2: a block of a shared table does not fit"
    say "$2: $(awk '{ n++; sum += $2; if ($2 > most) { most = $2; name = $1 } }
        END { printf "%d entries assembled, no spills, registers: mean %.0f, most %d (%s)", n, sum / n, most, name }' \
        "$out/registers_$2.txt")"
}

# The gate for spills must reject any, and more than are known.
for line in 'gemm_round_f16 64 216 8' 'gemm_exact_mma 128 80 192'; do
    if spills <<<"$line" >/dev/null; then die "the gate accepts: $line"; fi
done

# The gate for integers must reject float arithmetic, and accept moves of floats.
for line in 'add.f32 %f1, %f2, %f3;' '@%p1 fma.rn.f16 %rs1, %rs2, %rs3, %rs4;' 'cvt.rn.bf16.f32 %rs1, %f1;' 'setp.lt.f64 %p1, %fd1, %fd2;'; do
    printf '\t%s\n' "$line" >"$out/canary.ptx"
    if (integers_only "$out/canary.ptx") >/dev/null 2>&1; then die "the gate accepts: $line"; fi
done
printf '\t%s\n' 'ld.global.f32 %f1, [%rd1];' '@%p1 st.global.f32 [%rd1], %f1;' 'mov.f32 %f1, %f2;' 'selp.f32 %f1, %f2, %f3, %p1;' >"$out/canary.ptx"
integers_only "$out/canary.ptx"

# The gate for classes must reject what another class may have, and accept what its own may: these instructions in entries whose
# names have these endings, in functions of nn/, and, of the last ones, nowhere.
others=$'.visible .entry canary_rn(\n\tsub.rn.f32 %f1, %f2, %f3;\n.visible .entry canary_fma(\n\tfma.rn.f32 %f1, %f2, %f3, %f4;'
while read -r line may; do
    for class in none rn fma fma_mma mma unit hw function nn; do
        case $class in
        none) first='.visible .entry canary(' ;;
        unit) first='.visible .entry unit_bf16_mma(' ;;
        function) first='.func _RINvNtNtCs_8bitexact6reduce3sum' ;;
        nn) first='.func _RINvNtNtCs_8bitexact2nn7softmax' ;;
        *) first=".visible .entry canary_$class(" ;;
        esac
        for guard in '' '@%p1 '; do
            printf '%s\n%s\n\t%s%s %%f1, %%f2, %%f3, %%f4;\n' "$others" "$first" "$guard" "$line" >"$out/canary.ptx"
            accepted=no
            if (instructions "$out/canary.ptx") >/dev/null 2>&1; then accepted=yes; fi
            case " $may " in *" $class "*) expected=yes ;; *) expected=no ;; esac
            [ $accepted = $expected ] || die "the gate for classes: is '$guard$line' accepted in '$first'? $accepted"
        done
    done
done <<'END'
add.rn.f32 rn fma fma_mma hw nn
div.rn.f32 rn fma fma_mma hw nn
mul.rn.f64 fma fma_mma hw
fma.rn.f32 fma fma_mma hw
fma.rn.sat.f32 fma fma_mma hw
cvt.rn.f32.s32 fma fma_mma hw
fma.rn.f64 fma fma_mma hw
div.rn.f64 fma fma_mma hw
cvt.rn.f32.f64 fma fma_mma hw
max.f64 fma fma_mma hw
sqrt.rn.f32 hw
cvt.rn.bf16.f32 hw
ex2.approx.f32 hw
mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 fma_mma mma
mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 unit
mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 unit
mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16
wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.s8
fma.f32
fma.rn.ftz.f32
tanh.approx.ftz.f32
add.f32
trap
END
rm -f "$out/canary.ptx" "$out/without_hw.ptx"

# Names are made and words are put in an order by declarations alone: by the macros of plans/src/entry.rs, and in
# plans/src/catalog.rs from the catalog's rows. The types see to it that a launch is one of a declaration; here, that none is
# made of a name or of a list of words.
by_hand='\bLaunch(::of\(| \{)|\b(entry|load_function|launch_as)\((&?format!|&?")|\bname: &?format!|\bwords(: Vec<u64>)? = (vec!|\[|Vec::new)|\bwords\.(push|extend)\('
for line in 'self.entry(&format!("gemm_{kind}_f32"))?;' 'let mut words = vec![self.address(x), n as u64];' 'words.push(flags);' \
    'let launch = Launch { entry, words, work, memory };' 'module.load_function("exp_f16")'; do
    grep -qE "$by_hand" <<<"$line" || die "the check of launches accepts: $line"
done
if git grep -nE "$by_hand" -- cuda-shim/src/host cuda-shim/plans/src python/src/plans.rs ':!cuda-shim/plans/src/entry.rs' \
    ':!cuda-shim/plans/src/catalog.rs'; then
    die "an entry is launched by its name, or with words by hand"
fi

# One is assembled while the next is compiled; both take about the same time on one processor.
assembling=
for architecture; do
    say "PTX for $architecture"
    ptx=$out/bitexact_$architecture.ptx
    ptx_for "$architecture" "$ptx"
    gate "$ptx" "$architecture"
    [ -z "$assembling" ] || wait "$assembling"
    assemble "$ptx" "$architecture" &
    assembling=$!
done
wait "$assembling"
