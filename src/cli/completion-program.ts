/** `latchkey completion bash|zsh`. */
import { Argument, type Command } from 'commander'
import { completionOf, type ShellName } from './completion.ts'
import { describe } from './tree.ts'

export const addCompletionCommand = (program: Command): void => {
  describe(program, 'completion', {
    does: 'print a script that completes commands and flags in a shell',
    examples: [
      'latchkey completion bash > ~/.local/share/bash-completion/completions/latchkey',
      'latchkey completion zsh > ~/.zsh/completions/_latchkey',
    ],
  })
    .addArgument(new Argument('<shell>', 'the shell').choices(['bash', 'zsh']))
    .action((shell: ShellName) => {
      process.stdout.write(completionOf(shell, program))
    })
}
