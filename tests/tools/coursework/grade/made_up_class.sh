# A made-up class of any size for long tests. To be sourced, with the source folder as argument.
# shellcheck shell=bash

exercise=$1/chapters/02_coalescing/exercises/1_row_from_a_line/exercise.cu
file=02_1_row_from_a_line.cu

# answer KIND: what a student has handed in
answer() {
  case $1 in
    right) awk '/^#ifdef/ { next } /^#else/ { skip = 1; next } /^#endif/ { skip = 0; next } !skip' "$exercise" ;;
    starter) awk '/^#ifdef/ { skip = 1; next } /^#else/ { skip = 0; next } /^#endif/ { next } !skip' "$exercise" ;;
    wrong) answer right | sed 's/sum += A/sum -= A/' ;;
    broken) answer right | sed 's/float sum/flot sum/' ;;
    leaves) answer right && echo '__attribute__((constructor)) void leave() { __builtin_trap(); }' ;;
    reads) echo '#include "/etc/passwd"' && answer right ;;
    loops) answer right | sed 's/  if (row >= m/  for (int i = 0; i >= 0; ++i) C[0] += i;\n&/' ;;
  esac
}

# What a kind comes to: points and outcome.
# shellcheck disable=SC2034  # check_marks hands it on
marks='right=10 points;starter=4 points;wrong=0 points;broken=0 does not compile;leaves=0 refused;reads=0 does not compile;loops=0 time limit'

# make_class FOLDER SIZE: of 20 students one is hostile; no two files are the same.
make_class() {
  local kinds=(right starter wrong broken) hostile=(leaves reads loops) i kind name
  for ((i = 0; i < $2; ++i)); do
    kind=${kinds[i % 4]}
    if ((i % 20 == 19)); then kind=${hostile[i / 20 % 3]}; fi
    name=$(printf 's%04d_%s' "$i" "$kind")
    mkdir -p "$1/$name"
    { answer "$kind" && echo "// $i"; } >"$1/$name/$file"
  done
}

# check_marks CSV SIZE: whether every student has the marks of the kind in the folder's name.
check_marks() {
  local wrong
  wrong=$(awk -F, -v RS='\r\n' -v size="$2" -v marks="$marks" '
    BEGIN { n = split(marks, all, ";"); for (i = 1; i <= n; ++i) { split(all[i], one, "="); wanted[one[1]] = one[2] } }
    NR == 1 { for (i = 1; i <= NF; ++i) { if ($i == "02_1") points = i; if ($i == "02_1 outcome") outcome = i } }
    NR > 1 { split($1, part, "_"); ++students; if ($points " " $outcome != wanted[part[2]]) print $1, $points, $outcome }
    END { if (students != size) print students + 0 " students instead of " size }' "$1")
  [[ -z $wrong ]] || { printf 'wrong marks:\n%s\n' "$wrong" >&2; return 1; }
}
