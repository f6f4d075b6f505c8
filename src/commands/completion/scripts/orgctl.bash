# bash completion for orgctl
# bash cuts words at = and :, and replaces only its second argument. bash 3.2 on macOS has no compopt.
_orgctl() {
  local line=${COMP_LINE:0:COMP_POINT} current head word
  current=${line##*[[:space:]]}
  head=${current%"$2"}
  COMPREPLY=()
  while IFS= read -r word; do
    [[ $word == "$head"* ]] || continue
    [[ $word == *[:=] ]] && compopt -o nospace 2>/dev/null
    printf -v word %q "${word#"$head"}"
    COMPREPLY+=("$word")
  done < <(orgctl completion bash --line "$line" </dev/null 2>/dev/null)
}
complete -o default -F _orgctl orgctl
