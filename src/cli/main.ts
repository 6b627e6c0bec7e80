/** Runs the command line: parses it, and tells of faults in one way. */
import { CommanderError } from 'commander'
import { escapeForTerminal } from '../operations/surface/said.ts'
import { type ExitMessage, explain } from './explain.ts'
import { createProgram } from './program.ts'

const complain = ({ message, exitCode, ...details }: ExitMessage): void => {
  const error = { message: message.replace(/^latchkey: /, ''), exit_code: exitCode, ...details }
  const isJson = process.argv.includes('--json')
  process.stderr.write(`${escapeForTerminal(isJson ? JSON.stringify({ error }) : message)}\n`)
}

/** Does what the arguments and the streams of this process say. A fault ends the process. */
export const runMain = async (): Promise<void> => {
  // A reader such as `head` may have enough.
  process.stdout.on('error', (fault: NodeJS.ErrnoException) => {
    if (fault.code === 'EPIPE') process.exit(0)
  })

  const program = createProgram((text) => {
    const message = text.trim().replace(/^error: /, '')
    complain({ message: `latchkey: ${message}`, exitCode: 2 })
  })

  try {
    await program.parseAsync()
  } catch (error) {
    // Commander has said what was wrong, or has shown the help.
    if (error instanceof CommanderError) process.exit(error.exitCode === 0 ? 0 : 2)
    const outcome = explain(error)
    complain(outcome)
    process.exit(outcome.exitCode)
  }
}
