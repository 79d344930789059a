#!/usr/bin/env bash
# Runs a sweep as an array of 8 Slurm jobs (host-tests/cluster/array.sbatch) on two nodes, which are two slurmd on this host. A task
# is killed, a node is drained and its task requeued; `sweep merge` must refuse that, `sweep missing` must name the
# killed shard alone, and after it was submitted again the merge must be `equal`. All daemons run in a temporary folder
# and end with this script.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
[ "$(id -u)" = 0 ] || not_run "Slurm's daemons need root"
command -v apt-get >/dev/null || not_run "Slurm is installed by apt-get, which is not here"
apt_install slurm-wlm munge || not_run "slurm-wlm and munge cannot be installed"
optimised_sweep
SHARDS=8
# What is tested are the tasks, not the kernels: rows of every kind, of some seconds a task.
PLAN=(--op '*.bf16,p3109_add')

folder=$(mktemp -d)
results=$folder/results
pids=()
export SLURM_CONF=$folder/slurm.conf SWEEP RAYON_NUM_THREADS=1

clean_up() {
    local status=$?
    trap - EXIT INT TERM
    # The tasks first: they are the daemons' children, not ours.
    if [ ${#pids[@]} -gt 1 ] && kill -0 "${pids[1]}" 2>/dev/null; then
        timeout 20 scancel --quiet --user=root || true
        for _ in $(seq 40); do
            [ -n "$(timeout 5 squeue --noheader 2>/dev/null)" ] || break
            sleep 0.5
        done
    fi
    [ ${#pids[@]} -eq 0 ] || kill "${pids[@]}" 2>/dev/null || true
    wait
    if [ "$status" != 0 ]; then
        tail -n 15 "$folder"/*.log "$folder"/task-* 2>/dev/null || true
    fi
    rm -rf "$folder"
    exit "$status"
}
trap clean_up EXIT
trap 'exit 1' INT TERM

# in_time SECONDS COMMAND...: waits for a command to succeed.
in_time() {
    local end=$((SECONDS + $1))
    shift
    until "$@"; do
        [ $SECONDS -lt $end ] || return 1
        sleep 0.2
    done
}
# until_true SECONDS WHAT COMMAND...: the same, or the script fails.
until_true() { in_time "$1" "${@:3}" || die "$2"; }

say "two nodes on this host"
# Nodes have one processor each, so that two tasks run at a time. A requeued task may start when its credential has expired.
port=$((20000 + RANDOM % 10000))
host=$(hostname -s)
cat >"$SLURM_CONF" <<END
ClusterName=bitexact
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$folder/munge.socket,cred_expire=5
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool-%n
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd-%n.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd-%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
MailProg=/bin/true
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=batch_sched_delay=0,sched_interval=1
SlurmdParameters=config_overrides
ReturnToService=2
KillWait=1
NodeName=n1 NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + 1)) CPUs=1 RealMemory=1000
NodeName=n2 NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + 2)) CPUs=1 RealMemory=1000
PartitionName=all Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP
END
mkdir "$folder/state"
head -c 128 /dev/urandom >"$folder/munge.key"
chmod 400 "$folder/munge.key"
munged --force --foreground --socket="$folder/munge.socket" --key-file="$folder/munge.key" --seed-file="$folder/munge.seed" \
    --pid-file="$folder/munged.pid" --log-file="$folder/munged.log" 2>"$folder/munged-start.log" &
pids+=($!)
in_time 20 test -S "$folder/munge.socket" || not_run "munged does not start on this machine"
slurmctld -D >"$folder/slurmctld-start.log" 2>&1 &
pids+=($!)
for node in n1 n2; do
    mkdir "$folder/spool-$node"
    slurmd -D -N "$node" >"$folder/slurmd-$node-start.log" 2>&1 &
    pids+=($!)
done
idle() { [ "$(sinfo --noheader --Node --format='%N %t' 2>/dev/null | sort | tr '\n' ' ')" = "n1 idle n2 idle " ]; }
in_time 60 idle || not_run "Slurm's daemons do not start on this machine"
sinfo --Node

# submit ARRAY: the tasks of these shards; prints the job's number.
submit() {
    sbatch --parsable --array="$1" --output="$folder/task-%a" --chdir="$folder" \
        "$PWD/cluster/array.sbatch" "$SHARDS" "$results" "${PLAN[@]}"
}
# running NODE: the task on a node, `job_task`, once its program has begun.
running() {
    task=$(squeue --noheader --array --states=RUNNING --nodelist="$1" --format='%F_%K' 2>/dev/null)
    [[ $task == *_* ]] && grep -q "on $1," "$folder/task-${task#*_}" 2>/dev/null
}
none_left() { [ -z "$(squeue --noheader 2>/dev/null || echo '?')" ]; }
# merge STATUS VERDICT
merge() {
    local status=0
    "$SWEEP" merge "$results" --golden host-tests/golden >"$folder/merge.txt" || status=$?
    # Without the rows that are equal.
    grep -vE ' (equal|incomplete) ' "$folder/merge.txt"
    [ "$status" = "$1" ] || die "sweep merge: exit status $status, not $1"
    [ "$(tail -1 "$folder/merge.txt")" = "$2" ] || die "sweep merge: not $2"
}

say "an array of $SHARDS"
job=$(submit "1-$SHARDS")
until_true 60 "no task runs on n1" running n1
killed=${task#*_}
scancel --signal=KILL --full "$task"
say "killed: shard $killed"
until_true 60 "no task runs on n2" running n2
requeued=${task#*_}
scontrol update NodeName=n2 State=DRAIN Reason=test
scontrol requeue "$task"
say "n2 drained, requeued: shard $requeued"
drained() { [ "$(sinfo --noheader --nodes=n2 --format=%t)" = drain ]; }
until_true 60 "n2 is not drained" drained
scontrol update NodeName=n2 State=RESUME
until_true 600 "job $job does not end" none_left
grep -q "restart 1" "$folder/task-$requeued" || die "shard $requeued was not requeued"
grep '^shard ' "$folder/task-$requeued"
nodes=$(sed -n 's/^shard .* on \(n[12]\),.*/\1/p' "$folder"/task-* | sort -u | tr '\n' ' ')
[ "$nodes" = "n1 n2 " ] || die "tasks ran on $nodes"

say "before the missing shard is submitted again"
merge 1 incomplete
missing=$("$SWEEP" missing "$results")
[ "$missing" = "$killed" ] || die "sweep missing: $missing, not $killed"

say "after it"
submit "$missing"
until_true 300 "the second job does not end" none_left
[ -z "$("$SWEEP" missing "$results")" ] || die "shards are missing"
merge 0 equal
