/** The command line: `latchkey start` and the commands that work on a store directly. */
import { readFileSync } from 'node:fs'
import { Command } from 'commander'
import { explain } from './cli/explain.ts'
import { withSettingsFlags } from './cli/flags.ts'
import { start } from './cli/start.ts'

const packageFile = new URL('../package.json', import.meta.url)
const { version } = JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string }

const program = new Command('latchkey')
  .description('OAuth 2.0 authorization server, token service and resource server')
  .version(version)

withSettingsFlags(
  program.command('start', { isDefault: true }).description('start the service (the default)'),
).action(start)

try {
  await program.parseAsync()
} catch (error) {
  const { message, exitCode } = explain(error)
  process.stderr.write(`${message}\n`)
  process.exit(exitCode)
}
