#!/usr/bin/env bash
# The report site: it is written, its kernels give the golden digests in Node, and every page works in a browser.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
LIMIT=$((20 * 1024 * 1024))

# first COMMAND...: the first of them that there is.
first() {
    local name
    for name; do
        command -v "$name" && return
    done
    return 1
}
command -v node >/dev/null && command -v npm >/dev/null || apt_install nodejs npm || true
command -v node >/dev/null && command -v npm >/dev/null || not_run "there is no Node with npm (apt-get install nodejs npm)"
major=$(node -p 'process.versions.node.split(".")[0]')
[ "$major" -ge 20 ] || not_run "Node $major is too old: Playwright needs 20"
first google-chrome chromium >/dev/null || apt_install chromium || true
CHROMIUM=$(first google-chrome chromium) || not_run "there is no Chromium (apt-get install chromium)"
export CHROMIUM

say "the module"
bash ci/wasm.sh
node docs/site/tests/golden.js

say "sweep report"
optimised_sweep report
site=$TARGET_DIR/site
rm -rf "$site"
"$SWEEP" report "$site"
size=$(du -sb "$site" | cut -f1)
[ "$size" -le $LIMIT ] || die "the site has $size bytes, more than $LIMIT"

say "a browser: $("$CHROMIUM" --version)"
modules=$CACHE/site-$(sha256sum docs/site/tests/package-lock.json | cut -c1-16)
install_modules() {
    [ ! -d "$modules/node_modules" ] || return 0
    say "npm ci"
    rm -rf "$modules.new"
    mkdir -p "$modules.new"
    cp docs/site/tests/package.json docs/site/tests/package-lock.json "$modules.new"
    npm ci --silent --no-audit --no-fund --prefix "$modules.new" || return 1
    rm -rf "$modules"
    mv "$modules.new" "$modules"
}
one_at_a_time npm install_modules || not_run "npm cannot install what docs/site/tests/package-lock.json names"
NODE_MODULES=$modules/node_modules node docs/site/tests/browser.js "$site" "$SWEEP" ${SHOTS:+"$SHOTS"}
