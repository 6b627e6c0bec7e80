/** Steps of clients' users on the way to a token, in memory until they are written. */
import { countLimits } from '../config/count-limits.ts'
import { isOnItsOwn } from '../model/client.ts'
import { type CountedThing, otherClients } from '../model/count.ts'
import type { Meter } from '../model/meter.ts'
import type { StepCounts } from './kept-counts.ts'

interface Counted extends CountedThing {
  count: number
}

export const createStepCounts = (): {
  readonly add: Meter['countStep']
  readonly take: () => StepCounts
} => {
  let counts = new Map<string, Counted>()
  const find = (kind: 'steps' | 'funnel' | 'guests', clientId: string, name: string): Counted => {
    const key = `${kind} ${name} ${clientId}`
    const found = counts.get(key)
    if (found !== undefined) return found
    // Strangers make no more rows than this, however many clients they register.
    if (counts.size >= countLimits.steps && clientId !== otherClients) {
      return find(kind, otherClients, name)
    }
    const made = { kind, clientId, name, count: 0 }
    counts.set(key, made)
    return made
  }
  return {
    add(client, step) {
      find('steps', '', step).count++
      find(isOnItsOwn(client) ? 'guests' : 'funnel', client.id, step).count++
    },
    take() {
      const taken = [...counts.values()]
      counts = new Map()
      return taken
    },
  }
}
