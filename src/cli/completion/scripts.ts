import type { Shell } from './completion-reply.js'

/** Every script calls `secsctl __complete` at each Tab, so it fits the version that is installed. */
export const SCRIPTS: Readonly<Record<Shell, string>> = {
  bash: `# bash completion for secsctl. In ~/.bashrc: eval "$(secsctl completion bash)"
_secsctl() {
  local kind line
  COMPREPLY=()
  while IFS= read -r line; do
    if [[ -z $kind ]]; then kind=$line; else COMPREPLY+=("$line"); fi
  done < <(secsctl __complete bash "\${COMP_LINE:0:COMP_POINT}" "$COMP_WORDBREAKS" 2>/dev/null </dev/null)
  case $kind in
    files) compopt -o default 2>/dev/null ;;
    open) compopt -o nospace 2>/dev/null ;;
  esac
}
complete -F _secsctl secsctl
`,

  zsh: `#compdef secsctl
# zsh completion for secsctl. In ~/.zshrc, after compinit: eval "$(secsctl completion zsh)"
_secsctl() {
  local -a lines values displays
  local line value description
  lines=("\${(@f)$(secsctl __complete zsh $((CURRENT - 2)) "\${(@Q)words[2,CURRENT-1]}" "$PREFIX" 2>/dev/null </dev/null)}")
  if [[ $lines[1] == files ]]; then
    _files
    return
  fi
  for line in "\${(@)lines[2,-1]}"; do
    value=\${line%%$'\\t'*}
    description=\${line#*$'\\t'}
    values+=("$value")
    displays+=("$value\${description:+  -- $description}")
  done
  if [[ $lines[1] == open ]]; then
    compadd -S '' -l -d displays -a values
  else
    compadd -l -d displays -a values
  fi
}
if [[ $funcstack[1] == _secsctl ]]; then
  _secsctl "$@"
else
  compdef _secsctl secsctl
fi
`,

  fish: `# fish completion for secsctl: secsctl completion fish > ~/.config/fish/completions/secsctl.fish
function __secsctl_complete
    set -l words (commandline -opc)
    set -e words[1]
    set -l current (commandline -ct)
    set -l lines (secsctl __complete fish (count $words) $words "$current" 2>/dev/null </dev/null)
    if test "$lines[1]" = files
        __fish_complete_path "$current"
        return
    end
    set -e lines[1]
    test (count $lines) -gt 0; and printf '%s\\n' $lines
end
complete -c secsctl -f -a '(__secsctl_complete)'
`,

  powershell: `# PowerShell completion for secsctl. In $PROFILE: secsctl completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName secsctl -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $words = @($commandAst.CommandElements | Select-Object -Skip 1 |
    Where-Object { $_.Extent.EndOffset -lt $cursorPosition } |
    ForEach-Object { if ($_ -is [System.Management.Automation.Language.StringConstantExpressionAst]) { $_.Value } else { $_.Extent.Text } })
  $lines = @(secsctl __complete powershell $words.Count @words "$wordToComplete" 2>$null)
  if ($lines.Count -lt 2 -or $lines[0] -eq 'files') { return }
  $lines | Select-Object -Skip 1 | ForEach-Object {
    $value, $description = $_ -split "\`t", 2
    if (-not $description) { $description = $value }
    $text = if ($value -match "[^\\w./:=@+-]") { "'" + $value.Replace("'", "''") + "'" } else { $value }
    [System.Management.Automation.CompletionResult]::new($text, $value, 'ParameterValue', $description)
  }
}
`,
}
