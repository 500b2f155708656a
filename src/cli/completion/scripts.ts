/**
 * The scripts that a person's shell loads to complete words behind `agent`. Each gives the words as an array, as they were typed: nothing
 * of them is run or expanded, and what comes back is quoted by the shell when it puts it on the line.
 */
export const scripts = {
  bash: `# bash completion for agent; in ~/.bashrc: eval "$(agent completion bash)"
_agent() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    COMPREPLY+=("$line")
  done < <(command agent complete bash -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  # The word goes on behind a folder's slash.
  if [[ \${#COMPREPLY[@]} -eq 1 && \${COMPREPLY[0]} == *[/:] ]]; then
    compopt -o nospace 2>/dev/null
  fi
}
# As file names, so that bash quotes what a shell would read as more than a word.
complete -o filenames -F _agent agent
`,
  zsh: `#compdef agent
# zsh completion for agent; in ~/.zshrc, behind compinit: eval "$(agent completion zsh)"
# Tab expands $(...) by itself in zsh, whatever command it belongs to; bindkey '^I' complete-word keeps it from that.
_agent() {
  local line value tab=$'\\t'
  local -a values shown open
  while IFS= read -r line; do
    value=\${line%%$tab*}
    if [[ $value == */ || $value == *: ]]; then
      # The word goes on behind it.
      open+=("$value")
    else
      values+=("$value")
      shown+=("$value  \${line#*$tab}")
    fi
  done < <(command agent complete zsh -- "\${(@Q)words[2,CURRENT]}" 2>/dev/null)
  local found=1
  (( $#open )) && compadd -S '' -a open && found=0
  (( $#values )) && compadd -l -d shown -a values && found=0
  return found
}
if [[ $funcstack[1] == _agent ]]; then
  _agent "$@"
else
  compdef _agent agent
fi
`,
  fish: `# fish completion for agent; in ~/.config/fish/config.fish: agent completion fish | source
function __agent_complete
    set -l words (commandline --tokenize --cut-at-cursor --current-process)
    set -l current (commandline --current-token --cut-at-cursor)
    set --erase words[1]
    command agent complete fish -- $words "$current" 2>/dev/null
end
complete --command agent --no-files --arguments '(__agent_complete)'
`,
} as const;
