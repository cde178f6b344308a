# Completion of warp-nvcc for bash.

_warp_nvcc() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} values=''
  COMPREPLY=()
  # In -std=c++20, bash takes = for a word of its own.
  if [[ $word == = ]]; then word=''; elif [[ $before == = ]]; then before=${COMP_WORDS[COMP_CWORD - 2]}; fi
  case $before in
    -std | --std) values='c++14 c++17 c++20' ;;
    -arch | --gpu-architecture) values='native all all-major sm_80 sm_86 sm_89 sm_90 sm_90a' ;;
    -cudart | --cudart) values='none shared static' ;;
    -x | --x) values='c c++ cu' ;;
    -rdc | --relocatable-device-code) values='true false' ;;
    -default-stream | --default-stream) values='legacy null per-thread' ;;
    -I | -L | -isystem | -odir | -keep-dir | --include-path | --library-path | --output-directory)
      compopt -o filenames
      mapfile -t COMPREPLY < <(compgen -d -- "$word")
      return
      ;;
    -o | -MF | -include | -ccbin | --output-file | --compiler-bindir)
      compopt -o filenames
      mapfile -t COMPREPLY < <(compgen -f -- "$word")
      return
      ;;
  esac
  if [[ $values ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$values" -- "$word")
  elif [[ $word == -* ]]; then
    values='-c -dc -dlink -E -M -MM -MD -MMD -MF -MT -MP -o -odir -lib -shared -ptx -cubin -fatbin -run -I -D -U -include
      -isystem -l -L -Xlinker -Xcompiler -std -O -g -G -w -x -rdc -ccbin -arch -gencode -code -cudart
      -default-stream -lineinfo -use_fast_math -maxrregcount -Xptxas -Werror -keep -keep-dir -v
      --extended-lambda --expt-relaxed-constexpr --keep --save-temps --dryrun --list-gpu-arch
      --print-path --print-toolkit --version --help'
    mapfile -t COMPREPLY < <(compgen -W "$values" -- "$word")
  else
    compopt -o filenames
    mapfile -t COMPREPLY < <(
      compgen -d -- "$word"
      compgen -f -- "$word" | grep -E '[.](cu|cpp|cc|cxx|c|o|a|so)$'
    )
  fi
}
complete -F _warp_nvcc warp-nvcc
