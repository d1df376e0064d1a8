# Completion for bash: options, rules and values are read from --help, so that they are those of the installed program.
# SPDX-License-Identifier: Apache-2.0
_hgrd_check() {
  local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} i help rules values=''
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do # flags of the compiler
    [[ ${COMP_WORDS[i]} != -- ]] || { compopt -o default; return; }
  done
  [[ $current != = ]] || current='' # bash takes `=` for a word of its own
  [[ $before != = ]] || before=${COMP_WORDS[COMP_CWORD - 2]}
  case $before in
  -p) compopt -o dirnames; return ;;
  -o | --output | --baseline | --write-baseline | --suppressions) compopt -o default; return ;;
  esac
  [[ $current == -* || $before == --* ]] || { compopt -o default; return; }
  help=$("$1" --help 2>/dev/null)
  rules=$(grep -oE 'HGRD[0-9]{4}  [a-z-]+' <<<"$help" | sed 's/.* //')
  case $before in
  --format) values='text json sarif html gitlab junit part' ;;
  --dump) values='ir host kernel sync pairs goals smt' ;;
  --explain) values=$("$1" --explain=list 2>/dev/null | sed 's/^[a-z]*  *//; s/[ :].*//') ;;
  --*) values=$(grep -oE -- "$before=[a-z]+([|][a-z]+)+" <<<"$help" | head -n 1 | sed 's/.*=//' | tr '|' ' ') ;;
  esac
  if [[ -z $values && $current == -W* ]]; then
    values="-Werror $(for i in $rules; do echo "-W$i -Wno-$i -Werror=$i -Wno-error=$i"; done)"
  elif [[ -z $values && $current == -* ]]; then
    values=$(grep -oE -- '^  (-[a-z], )?--?[A-Za-z][a-z-]*=?' <<<"$help" | sed -E 's/^ +(-[a-z], )?//')
  elif [[ -z $values ]]; then
    compopt -o default
    return
  fi
  mapfile -t COMPREPLY < <(compgen -W "$values" -- "$current")
  [[ ${COMPREPLY[0]:-} != *= ]] || compopt -o nospace
}
complete -F _hgrd_check hgrd-check
