/** `npm run faults [-- --cycles 100]`: all faults in their full form. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { parseArgs } from 'node:util'

const { values } = parseArgs({ options: { cycles: { type: 'string', default: '100' } } })
const cycles = Number(values.cycles)
if (!Number.isInteger(cycles) || cycles < 1) {
  process.stderr.write(`--cycles has to be a whole number from 1, not ${values.cycles}\n`)
  process.exit(2)
}
const folder = new URL('.', import.meta.url).pathname
const child = spawn(
  process.execPath,
  ['--test', '--test-concurrency=1', '--disable-warning=ExperimentalWarning', `${folder}*.test.ts`],
  { stdio: 'inherit', env: { ...process.env, FAULT_CYCLES: String(cycles) } },
)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
const [code] = await once(child, 'close')
process.exit(code ?? 1)
