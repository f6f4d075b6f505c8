/**
 * The scripts pass the line up to the cursor, and quote the words that orgctl prints: a name may contain anything, and the
 * shell runs the line once it is accepted. Without words the shells offer file names.
 */
export const SCRIPTS = {
  // bash cuts words at = and :, and replaces only its second argument. bash 3.2 on macOS has no compopt.
  bash: `# bash completion for orgctl
_orgctl() {
  local line=\${COMP_LINE:0:COMP_POINT} current head word
  current=\${line##*[[:space:]]}
  head=\${current%"$2"}
  COMPREPLY=()
  while IFS= read -r word; do
    [[ $word == "$head"* ]] || continue
    [[ $word == *[:=] ]] && compopt -o nospace 2>/dev/null
    printf -v word %q "\${word#"$head"}"
    COMPREPLY+=("$word")
  done < <(orgctl completion bash --line "$line" </dev/null 2>/dev/null)
}
complete -o default -F _orgctl orgctl
`,
  zsh: `#compdef orgctl
# zsh completion for orgctl
_orgctl() {
  local line word about
  local -a found open
  orgctl completion zsh --line "\${(j: :)words[1,CURRENT-1]} $PREFIX" </dev/null 2>/dev/null | while IFS= read -r line; do
    word=\${line%%$'\\t'*}
    about=\${line#"$word"}
    about=\${word//:/\\\\:}\${about/$'\\t'/:}
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
`,
  fish: `# fish completion for orgctl
function __orgctl_find
  set -g __orgctl_found (orgctl completion fish --line (commandline -cp | string collect) </dev/null 2>/dev/null)
  test (count $__orgctl_found) -gt 0
end
complete -c orgctl -n __orgctl_find -f -a '$__orgctl_found'
`,
  powershell: `# PowerShell completion for orgctl
Register-ArgumentCompleter -Native -CommandName orgctl -ScriptBlock {
    param($word, $ast, $cursor)
    $line = $ast.ToString().PadRight($cursor - $ast.Extent.StartOffset).Substring(0, $cursor - $ast.Extent.StartOffset)
    orgctl completion powershell "--line=$line" 2>$null | ForEach-Object {
        $found, $about = $_ -split [char]9, 2
        $safe = if ($found -match '^[\\w./:=+-][\\w./:=@%+-]*$') { $found } else { "'" + ($found -replace "'", "''") + "'" }
        if (-not $about) { $about = $found }
        [System.Management.Automation.CompletionResult]::new($safe, $found, 'ParameterValue', $about)
    }
}
`,
};

export const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const;
