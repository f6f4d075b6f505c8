import type { ShellName } from './shells.ts';

/**
 * The scripts only call orgctl, so that what they offer is always what the installed orgctl knows. Its answer is a line
 * for each word, with a tab and a description behind it, or `:files` where the shell knows better, and then the part of the
 * word in front of the path. A word that ends with a colon is not done.
 * What orgctl prints for bash and zsh goes to the command line as it is; the other scripts quote it.
 */
export const SCRIPTS: Readonly<Record<ShellName, string>> = Object.freeze({
  // bash 3.2 too, which macOS has: no compopt, no mapfile. COMP_WORDS is cut at = and @ and more, so the words are put
  // together again by what stands between them on the line. What bash replaces is its second argument.
  bash: `# bash completion for orgctl
_orgctl_complete() {
  local IFS=$' \\t\\n' rest=\${COMP_LINE:0:COMP_POINT} index piece blank line head current before path plain=
  local -a words=()
  for (( index = 0; index <= COMP_CWORD; index++ )); do
    piece=\${COMP_WORDS[index]}
    blank=\${rest%%[![:space:]]*}
    rest=\${rest#"$blank"}
    (( index == COMP_CWORD )) && piece=$rest
    rest=\${rest#"$piece"}
    if (( index == 0 )) || [[ -n $blank ]]; then
      words+=("$piece")
    else
      words[\${#words[@]} - 1]+=$piece
    fi
  done
  current=\${words[\${#words[@]} - 1]}
  [[ $current == *"$2" ]] || return
  head=\${current%"$2"}
  COMPREPLY=()
  while IFS= read -r line; do
    if [[ $line == :files* ]]; then
      before=\${line#:files}
      before=\${before# }
      IFS= read -r path
      IFS= read -r head
      # Where bash can't quote names of files, or doesn't quote all of them, only those that need no quotes.
      compopt -o filenames 2>/dev/null && [[ $2 != [@$]* ]] || plain=yes
      while IFS= read -r line; do
        [[ -n $plain && $line == *[!a-zA-Z0-9./:=@%+,_-]* ]] && continue
        line=$before$line
        COMPREPLY+=("\${line#"$head"}")
      done < <(compgen -f -- "$path")
      return
    fi
    line=\${line%%$'\\t'*}
    [[ $line == *: ]] && compopt -o nospace 2>/dev/null
    COMPREPLY+=("$line")
  done < <(orgctl completion bash --word="$current" --kept="$head" -- "\${words[@]:1:\${#words[@]}-2}" </dev/null 2>/dev/null)
}
complete -F _orgctl_complete orgctl
`,
  zsh: `#compdef orgctl
# zsh completion for orgctl
_orgctl() {
  local line word description
  local -i widest=0
  local -a lines found shown open_found open_shown
  lines=("\${(@f)$(orgctl completion zsh --word="$QIPREFIX$PREFIX" --kept="$QIPREFIX" -- "\${(@Q)words[2,CURRENT-1]}" </dev/null 2>/dev/null)}")
  if [[ $lines[1] == :files* ]]; then
    word=\${\${lines[1]#:files}# }
    IPREFIX+=$word
    PREFIX=\${PREFIX[\${#word}+1,-1]}
    _files
    return
  fi
  for line in $lines; do
    word=\${line%%$'\\t'*}
    (( $#word > widest )) && widest=$#word
  done
  for line in $lines; do
    [[ -n $line ]] || continue
    word=\${line%%$'\\t'*}
    description=$word
    if [[ $line == *$'\\t'?* ]]; then
      description="\${(r:widest:)word}  -- \${line#*$'\\t'}"
      description=\${description[1,COLUMNS-1]}
    fi
    if [[ $word == *: ]]; then
      open_found+=("$word")
      open_shown+=("$description")
    else
      found+=("$word")
      shown+=("$description")
    fi
  done
  (( $#found )) && compadd -UQ -l -d shown -a found
  (( $#open_found )) && compadd -UQ -S '' -l -d open_shown -a open_found
}
if [[ $funcstack[1] == _orgctl ]]; then
  _orgctl "$@"
else
  compdef _orgctl orgctl
fi
`,
  fish: `# fish completion for orgctl
function __orgctl_complete
    type -q orgctl; or return
    set -l before (commandline -opc)
    set -e before[1]
    set -l current (commandline -ct)
    set -l lines (orgctl completion fish --word="$current" -- $before </dev/null 2>/dev/null)
    if string match -q -- ':files*' "$lines[1]"
        set -l head (string replace -r -- '^:files ?' '' "$lines[1]")
        set -l from (math (string length -- "$head") + 1)
        # As of a command that nothing is known of: what is typed may be quoted.
        for path in (complete -C "__orgctl_none "(string sub -s $from -- "$current" | string collect))
            printf '%s\\n' "$head$path"
        end
    else
        printf '%s\\n' $lines
    end
end
complete -c orgctl -f -a '(__orgctl_complete)'
`,
  // What npm installs for PowerShell is a script, and PowerShell keeps a bare -- from scripts. A bare comma makes two words of one.
  powershell: `# PowerShell completion for orgctl
Register-ArgumentCompleter -Native -CommandName orgctl -ScriptBlock {
    param($word, $ast, $cursor)
    $before = @($ast.CommandElements | Select-Object -Skip 1 | Where-Object { $_.Extent.EndOffset -lt $cursor } | ForEach-Object { $_.Extent.Text })
    orgctl completion powershell "--word=$word" '--' @before 2>$null | ForEach-Object {
        $text, $description = $_ -split "\`t", 2
        if ($text -like ':files*') {
            $head = $text -replace '^:files ?', ''
            [System.Management.Automation.CompletionCompleters]::CompleteFilename("$word".Substring($head.Length)) | ForEach-Object {
                [System.Management.Automation.CompletionResult]::new($head + $_.CompletionText, $_.ListItemText, $_.ResultType, $_.ToolTip)
            }
        } else {
            $safe = if ($text -match '^[\\w./:=%+-][\\w./:=@%+-]*$') { $text } else { "'" + ($text -replace "'", "''") + "'" }
            $tip = if ($description) { $description } else { $text }
            [System.Management.Automation.CompletionResult]::new($safe, $text, 'ParameterValue', $tip)
        }
    }
}
`,
});
