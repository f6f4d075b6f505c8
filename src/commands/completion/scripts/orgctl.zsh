#compdef orgctl
# zsh completion for orgctl
_orgctl() {
  local line word about
  local -a found open
  orgctl completion zsh --line "${(j: :)words[1,CURRENT-1]} $PREFIX" </dev/null 2>/dev/null | while IFS= read -r line; do
    word=${line%%$'\t'*}
    about=${line#"$word"}
    about=${word//:/\\:}${about/$'\t'/:}
    [[ $word == *[:=] ]] && open+=("$about") || found+=("$about")
  done
  if (( $#found + $#open == 0 )); then
    compset -P '*[:=]'
    _files
    return
  fi
  (( $#found )) && _describe -V orgctl found
  (( $#open )) && _describe -V orgctl open -S ''
}
if [[ $funcstack[1] == _orgctl ]]; then
  _orgctl "$@"
else
  (( $+functions[compdef] )) || { autoload -Uz compinit && compinit -i }
  compdef _orgctl orgctl
fi
