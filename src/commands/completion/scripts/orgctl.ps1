# PowerShell completion for orgctl
Register-ArgumentCompleter -Native -CommandName orgctl -ScriptBlock {
    param($word, $ast, $cursor)
    $line = $ast.ToString().PadRight($cursor - $ast.Extent.StartOffset).Substring(0, $cursor - $ast.Extent.StartOffset)
    orgctl completion powershell "--line=$line" 2>$null | ForEach-Object {
        $found, $about = $_ -split [char]9, 2
        $safe = if ($found -match '^[\w./:=+-][\w./:=@%+-]*$') { $found } else { "'" + ($found -replace "'", "''") + "'" }
        if (-not $about) { $about = $found }
        [System.Management.Automation.CompletionResult]::new($safe, $found, 'ParameterValue', $about)
    }
}
