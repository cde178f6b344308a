#!/usr/bin/env bash
# Grades a class of 60 in a real Slurm on this machine: 6 tasks, one of them killed and queued again
# by Slurm while it works, and the merge behind them.
#
# usage: slurm.sh COURSEWORK SOURCE_FOLDER
# Exit status 77: it cannot be run here, and a line says why.
set -euo pipefail

coursework=$1
# shellcheck source=tests/tools/coursework/grade/made_up_class.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/made_up_class.sh" "$2"

skip() {
  echo "skipped: $*" >&2
  exit 77
}

[[ ${COURSE_LONG_TESTS-} == 1 ]] || skip "it takes minutes; COURSE_LONG_TESTS=1 asks for it"
((EUID == 0)) || skip "only root can start a Slurm of its own"
for one in munged slurmctld slurmd sbatch scontrol squeue; do
  command -v "$one" >/dev/null || PATH=$PATH:/usr/sbin:/sbin
  command -v "$one" >/dev/null || skip "there is no $one; Debian has it in slurm-wlm and munge"
done

work=$(mktemp -d "${TMPDIR:-/tmp}/course-slurm-XXXXXX")
chmod 755 "$work"
processes=()
# shellcheck disable=SC2317  # called at the end
clean_up() {
  local status=$?
  if ((status != 0)); then
    tail -n 20 "$work"/*.log "$work"/out/log/*.txt >&2 || true
  fi
  if ((${#processes[@]})); then
    kill "${processes[@]}" 2>/dev/null || true
    wait "${processes[@]}" 2>/dev/null || true
  fi
  rm -rf -- "$work"
}
trap clean_up EXIT

# wait_for SECONDS WHAT COMMAND...: tries the command until it succeeds.
wait_for() {
  local tries=$(($1 * 5)) what=$2
  shift 2
  until "$@" >/dev/null 2>&1; do
    if ((--tries < 0)); then
      echo "waited in vain: $what" >&2
      return 1
    fi
    sleep 0.2
  done
}

# --- a cluster of one machine -----------------------------------------------------------------------

start_munge() {
  mkdir -m 755 "$work/munge"
  head -c 1024 /dev/urandom >"$work/munge/key"
  chmod 400 "$work/munge/key"
  munged --foreground --force --key-file="$work/munge/key" --socket="$work/munge/socket" \
    --pid-file="$work/munge/pid" --log-file="$work/munged.log" --seed-file="$work/munge/seed" \
    >"$work/munged.out.log" 2>&1 &
  processes+=($!)
  wait_for 10 'munged' test -S "$work/munge/socket"
}

write_configuration() {
  local host cores memory port=$((20000 + RANDOM % 20000))
  host=$(hostname -s)
  cores=$(nproc)
  memory=$(awk '/^MemTotal/ { print int($2 / 1024) }' /proc/meminfo)
  mkdir "$work/state" "$work/spool"
  cat >"$work/slurm.conf" <<END
ClusterName=course
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$work/munge/socket
CredType=cred/munge
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
SlurmctldPort=$port
SlurmdPort=$((port + 1))
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdLogFile=$work/slurmd.log
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
ReturnToService=2
KillWait=2
SchedulerParameters=batch_sched_delay=1,sched_interval=2,requeue_delay=1
NodeName=$host NodeAddr=127.0.0.1 CPUs=$cores RealMemory=$memory State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
END
  export SLURM_CONF=$work/slurm.conf
}

node_is_idle() { sinfo -h -o %T | grep -qx idle; }

start_slurm() {
  slurmctld -D -f "$work/slurm.conf" >"$work/slurmctld.out.log" 2>&1 &
  processes+=($!)
  slurmd -D -f "$work/slurm.conf" >"$work/slurmd.out.log" 2>&1 &
  processes+=($!)
  wait_for 60 'an idle node' node_is_idle
}

# Whether all jobs of the class are at their end.
no_jobs_left() { ! squeue -h -o '%T' | grep -qv COMPLETING; }


# --- the test ---------------------------------------------------------------------------------------

start_munge
write_configuration
start_slurm
make_class "$work/class" 60
"$coursework" grade 02 --exercise 1 --submissions "$work/class" --out "$work/out" --seed 7 --jobs 1 \
  --slurm "$work/class.sh" --shards 6
bash "$work/class.sh"
array=$(squeue -h -r -o '%F' | sort -n | head -n 1)

victim=1
wait_for 120 'a task that has graded something' test -s "$work/out/parts/$victim/journal"
scontrol requeue "${array}_$victim"
echo "task $victim was queued again with $(wc -l <"$work/out/parts/$victim/journal") submissions graded" >&2

wait_for 500 'the end of all jobs' no_jobs_left
[[ -e $work/out/summary.json ]] || { echo "the merge has written nothing" >&2; exit 1; }

resumed=$(grep -c 'are graded already' "$work/out/log/$victim.txt" || true)
((resumed > 0)) || { echo "the task that was killed did not resume" >&2; exit 1; }

check_marks "$work/out/grades.csv" 60

double=$(cat "$work"/out/parts/*/run.log | sed -n 's/^[^ ]* graded \([^ ]*\) .*/\1/p' | sort | uniq -d)
[[ -z $double ]] || { echo "graded twice: $double" >&2; exit 1; }
echo "60 submissions in 6 tasks: all marks are right, none was graded twice" >&2
