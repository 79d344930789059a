export BITEXACT_CROSS=debian
cd /work/main && source ci/setup-cross.sh >/dev/null 2>&1
cd /tmp/p3109/probe && TARGET_DIR=/tmp/p3109/ptarget cross_cargo thumbv7em-none-eabi build --release 2>&1 | tail -5
