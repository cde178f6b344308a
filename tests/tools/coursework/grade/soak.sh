#!/usr/bin/env bash
# A long class: one student of 20 is hostile, the run is killed and resumed three times, and nothing
# may be lost, graded twice or marked wrongly.
#
# usage: soak.sh COURSEWORK SOURCE_FOLDER [STUDENTS]
# Exit status 77: it was not asked for.
set -euo pipefail

[[ ${COURSE_LONG_TESTS-} == 1 ]] || { echo "skipped: COURSE_LONG_TESTS=1 asks for it" >&2; exit 77; }
coursework=$1
students=${3:-1000}
# shellcheck source=tests/tools/coursework/grade/made_up_class.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/made_up_class.sh" "$2"

work=$(mktemp -d "${TMPDIR:-/tmp}/course-soak-XXXXXX")
trap 'rm -rf -- "$work"' EXIT
make_class "$work/class" "$students"
grade=("$coursework" grade 02 --exercise 1 --submissions "$work/class" --out "$work/out" --seed 3 --time-limit 2)

graded() { if [[ -e $work/out/journal ]]; then wc -l <"$work/out/journal"; else echo 0; fi; }

for part in 1 2 3; do
  "${grade[@]}" 2>"$work/run.txt" &
  process=$!
  until (($(graded) >= students * part / 4)); do
    kill -0 "$process" || { tail "$work/run.txt" >&2; exit 1; }
    sleep 0.2
  done
  kill -9 "$process"
  wait "$process" 2>/dev/null || true
  printf '%s' 'half a li' >>"$work/out/journal"
  echo "killed with $(graded) graded" >&2
done
"${grade[@]}" 2>"$work/run.txt" || { tail "$work/run.txt" >&2; exit 1; }

check_marks "$work/out/grades.csv" "$students"
double=$(sed -n 's/^[^ ]* graded \([^ ]*\) .*/\1/p' "$work/out/run.log" | sort | uniq -d)
[[ -z $double ]] || { echo "graded twice: $double" >&2; exit 1; }
echo "$students submissions, killed and resumed three times: all marks are right, none was graded twice" >&2
