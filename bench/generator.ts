/** The load generator from outside: a process on the other core that does one job at a time. */
import { once } from 'node:events'
import type { Place } from './cores.ts'
import type { Job, Outcome } from './load/job.ts'
import { end, spawnNode } from './process.ts'

export interface Generator {
  run(job: Job): Promise<Outcome>
  close(): Promise<void>
}

export const startGenerator = (
  place: Extract<Place, 'load' | 'load beside'> = 'load',
): Generator => {
  const child = spawnNode(place, [new URL('load/main.ts', import.meta.url).pathname], {
    channel: true,
  })
  const died = once(child, 'exit').then((): never => {
    throw new Error('the load generator has ended')
  })
  died.catch(() => {})
  return {
    async run(job) {
      const answered = once(child, 'message')
      // Where it has ended already, `died` says so.
      child.send(job, () => {})
      const [outcome] = (await Promise.race([answered, died])) as [Outcome]
      return outcome
    },
    close: () => end(child),
  }
}
