/** Completion for bash, zsh and fish, made of the program's own tree of commands. */
import type { Command } from 'commander'

export const shells = ['bash', 'zsh', 'fish'] as const

/** What may follow the words of a command: its subcommands and its flags. */
const listWords = (command: Command): readonly string[] => [
  ...command.commands.map((one) => one.name()),
  ...command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []),
  ...command.options.filter(({ hidden }) => !hidden).flatMap(({ long }) => long ?? []),
  '--help',
]

const listPaths = (command: Command, path: string): readonly (readonly [string, Command])[] => [
  [path, command],
  ...command.commands.flatMap((one) => listPaths(one, `${path} ${one.name()}`.trim())),
]

/** `verify` has a time behind this flag. */
const takesTime = 'verify --to'

const takesFile = '--config|--rejects|--firebase-parameters|--secret-file|--to|--position|--backup'

const writeShared = (program: Command): string => {
  const paths = listPaths(program, '')
  /** A `case` for each command: the words so far, and the words that may follow. */
  const cases = paths.map(
    ([path, command]) => `    '${path}') words='${listWords(command).join(' ')}' ;;`,
  )
  /** Only names of commands are words of the path; flags and their values are not. */
  const names = paths.filter(([path]) => path !== '').map(([path]) => `'${path}'`)
  return `_latchkey_words() {
  # $1 is what was typed of the commands so far.
  local words=''
  case "$1" in
${cases.join('\n')}
  esac
  printf '%s' "$words"
}

_latchkey_is_command() {
  case "$1" in
    ${names.join('|')}) return 0 ;;
  esac
  return 1
}
`
}

const writeBash = (
  program: Command,
): string => `# Completion of latchkey for bash: eval "$(latchkey completion bash)"
${writeShared(program)}
_latchkey() {
  local current="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" path='' next='' i
  for ((i = 1; i < COMP_CWORD; i++)); do
    next="\${path:+$path }\${COMP_WORDS[i]}"
    if _latchkey_is_command "$next"; then path="$next"; fi
  done
  if [ "$path $before" = '${takesTime}' ]; then COMPREPLY=(); return; fi
  case "$before" in
    ${takesFile}) COMPREPLY=($(compgen -f -- "$current")); return ;;
  esac
  COMPREPLY=($(compgen -W "$(_latchkey_words "$path")" -- "$current"))
  if [ \${#COMPREPLY[@]} -eq 0 ]; then COMPREPLY=($(compgen -f -- "$current")); fi
}

complete -o filenames -F _latchkey latchkey
`

const writeZsh = (program: Command): string => `#compdef latchkey
# Completion of latchkey for zsh: source <(latchkey completion zsh), after compinit.
${writeShared(program)}
_latchkey() {
  local before="\${words[CURRENT-1]}" typed='' next='' i
  for ((i = 2; i < CURRENT; i++)); do
    next="\${typed:+$typed }\${words[i]}"
    if _latchkey_is_command "$next"; then typed="$next"; fi
  done
  if [ "$typed $before" = '${takesTime}' ]; then return; fi
  case "$before" in
    ${takesFile}) _files; return ;;
  esac
  local -a candidates
  candidates=(\${(s: :)"$(_latchkey_words "$typed")"})
  compadd -- $candidates || _files
}

compdef _latchkey latchkey
`

/** The shell finds the longest path of commands that was typed, and offers the words behind it. */
const writeFish = (program: Command): string => {
  const paths = listPaths(program, '')
  const cases = paths.map(
    ([path, command]) => `    case '${path}'\n      printf '%s\\n' ${listWords(command).join(' ')}`,
  )
  const names = paths.map(([path]) => `'${path}'`).join(' ')
  const files = takesFile.split('|').join(' ')
  return `# Completion of latchkey for fish: latchkey completion fish | source
function _latchkey_path
  set -l path ''
  for word in (commandline -opc)[2..-1]
    set -l next (string trim -- "$path $word")
    if contains -- $next ${names}
      set path $next
    end
  end
  printf '%s\\n' "$path"
end

function _latchkey_takes_time
  test (_latchkey_path)" "(commandline -opc)[-1] = '${takesTime}'
end

function _latchkey_takes_file
  contains -- (commandline -opc)[-1] ${files}; and not _latchkey_takes_time
end

function _latchkey_words
  switch (_latchkey_path)
${cases.join('\n')}
  end
end

complete -c latchkey -f
complete -c latchkey -n _latchkey_takes_file -F
complete -c latchkey -n 'not _latchkey_takes_file; and not _latchkey_takes_time' -a '(_latchkey_words)'
`
}

const writers = { bash: writeBash, zsh: writeZsh, fish: writeFish } as const

export const writeCompletion = (shell: (typeof shells)[number], program: Command): string =>
  writers[shell](program)
