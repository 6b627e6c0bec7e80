/**
 * The auditor, a program of its own with the arguments ISSUER and FILE. It uses the service and
 * writes each acknowledged change down, with a dot on standard output. `replay.ts` checks all of
 * them again.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { operatorOf } from '../flows/operator.ts'
import { reach } from '../support/reach.ts'
import { openHistory } from './history.ts'
import { live, Unknown } from './life.ts'

const [, , issuer = '', file = ''] = process.argv
const service = reach(issuer)
const workersAtOnce = 6

let stopped = false
const stop = (): void => {
  stopped = true
}

const dot = (): void => {
  process.stdout.write('.')
}

/** One life after another until told to stop, whatever becomes of them. */
const work = async (worker: number): Promise<void> => {
  const history = openHistory(file)
  for (let n = 0; !stopped; n++) {
    const name = `life-${process.pid}-${worker}-${n}`
    try {
      const operator = await operatorOf(service)
      await live(name, (worker + n) % 2 === 0, { service, operator, history, onAcknowledged: dot })
    } catch (error) {
      // Where nothing answers, asking at full speed would only be in the way.
      if (!(error instanceof Unknown) || stopped) await pause(20)
    }
  }
}

process.stdin.on('end', stop).resume()
await Promise.all(Array.from({ length: workersAtOnce }, (_, worker) => work(worker)))
