/** `latchkey start`: the whole service, until it is told to end. */
import { flushCompileCache } from 'node:module'
import { loadSettings } from '../config/load.ts'
import type { Settings } from '../config/settings.ts'
import { formatTokenCommand } from '../demo/people.ts'
import { isDemoAt } from '../demo/seed.ts'
import { httpLimits } from '../http/limits.ts'
import { takeCommandsOf } from './beside.ts'
import { letPoolGiveWay, watchUncaught } from './process.ts'

const greet = (issuer: string, settings: Settings): string => `
This is a demo with well-known passwords, so it is for this machine only.
Look around as alice, password wonderland: ${issuer}/account
Run every flow step by step, and try to break it: ${issuer}/playground
Get a first token:
  ${formatTokenCommand(issuer, settings)}

`

/**
 * Resolves on a signal, or when the launcher of this process is gone. Later signals change nothing. A
 * terminal signals its whole group, and npm and the launcher pass signals on, so one signal comes up
 * to three times.
 */
const waitForEnd = (): Promise<void> =>
  new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => resolve())
    process.on('disconnect', () => resolve())
  })

/** Resolves when the promise does, and at the latest after so many milliseconds. */
const waitAtMost = (milliseconds: number, promise: Promise<void>): Promise<void> =>
  Promise.race([
    promise,
    new Promise<void>((resolve) => {
      setTimeout(resolve, milliseconds)
    }),
  ])

export const start = async (flags: Readonly<Record<string, unknown>>): Promise<void> => {
  const askedToEnd = waitForEnd()
  // The service outlives whoever read its first line and went away.
  process.stdout.on('error', () => {})
  const settings = loadSettings({ flags })
  // Other commands begin sooner without the pages and endpoints.
  const { startService } = await import('../server.ts')
  const service = await startService({
    settings,
    onBroken: () => {
      process.stderr.write(
        'the disk under the database has failed: ending, so that a restart reads what is really there\n',
      )
      process.exit(1)
    },
  })
  watchUncaught(service.tell, () => process.exit(1))
  const { issuer, port } = service
  const stopCommands = await takeCommandsOf(service)
  const chosen = settings.port === 0 && !issuer.endsWith(`:${port}`) ? `port ${port}\n` : ''
  const isDemo = settings.demo && (await isDemoAt(issuer, service.operated.store))
  process.stdout.write(`listening on ${issuer}\n${chosen}${isDemo ? greet(issuer, settings) : ''}`)
  await letPoolGiveWay()
  // For the next start, and now: a service may be killed at any time.
  flushCompileCache()
  await askedToEnd
  stopCommands()
  // Half a second more than requests get, for writing what is held in memory.
  await waitAtMost(httpLimits.drainSeconds * 1000 + 500, service.close())
  process.exit(0)
}
