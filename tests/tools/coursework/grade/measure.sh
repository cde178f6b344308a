#!/usr/bin/env bash
# What grading costs: so many different submissions of one exercise, then one class twenty times.
#
# usage: measure.sh COURSEWORK SOURCE_FOLDER [STUDENTS] [JOBS]    (no students: the twenty runs alone)
set -euo pipefail

coursework=$1
students=${3:-200} jobs=${4:-2}
# shellcheck source=tests/tools/coursework/grade/made_up_class.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/made_up_class.sh" "$2"

work=$(mktemp -d "${TMPDIR:-/tmp}/course-measure-XXXXXX")
trap 'rm -rf -- "$work"' EXIT
make_class "$work/class" "$students"
grade=("$coursework" grade 02 --exercise 1 --seed 3)

if ((students > 0)); then
  begin=$EPOCHREALTIME
  "${grade[@]}" --jobs "$jobs" --submissions "$work/class" --out "$work/out" 2>"$work/run.txt"
  end=$EPOCHREALTIME
  check_marks "$work/out/grades.csv" "$students"
  awk -v begin="$begin" -v end="$end" -v students="$students" -v jobs="$jobs" 'BEGIN {
    printf "%d submissions, %d at a time: %.1f s\n", students, jobs, end - begin }'
  sed -n 's/.*: compile \([0-9.]*\) s, judge \([0-9.]*\) s, peak \([0-9.]*\) MiB/\1 \2 \3/p' "$work/out/run.log" |
    awk '{ compile += $1; judge += $2; if ($3 > peak) peak = $3 }
      END { printf "one: compile %.2f s, judge %.2f s; largest process %.0f MiB\n", compile / NR, judge / NR, peak }'
fi

make_class "$work/small" 8
for run in $(seq 20); do
  "${grade[@]}" --jobs $((run % 3 + 1)) --time-limit 2 --submissions "$work/small" --out "$work/again" 2>"$work/run.txt"
  (cd "$work/again" && find . -type f ! -name run.log ! -name lock -exec sha256sum {} + | sort | sha256sum) >>"$work/digests"
  rm -rf -- "$work/again"
done
echo "20 runs of 8 submissions, 1 to 3 at a time: $(sort -u "$work/digests" | wc -l) different result(s)"
