# fish completion for orgctl
function __orgctl_find
  set -g __orgctl_found (orgctl completion fish --line (commandline -cp | string collect) </dev/null 2>/dev/null)
  test (count $__orgctl_found) -gt 0
end
complete -c orgctl -n __orgctl_find -f -a '$__orgctl_found'
