/** Whose acts a list of events shows, as a word of a query. */
import type { Actor } from '../model/actor.ts'
import type { ActorFilter } from '../store/store.ts'

export const actorTypes: readonly Actor['type'][] = [
  'operator',
  'cli',
  'owner',
  'client',
  'anyone',
  'service',
]

const longestName = 2048

/** `operator`, or one of them: `operator:client:latchkey-admin`. Null for other text. */
export const parseActorFilter = (given: string): ActorFilter | null => {
  const [, word, id] = /^([a-z]+)(?::(.+))?$/.exec(given) ?? []
  const type = actorTypes.find((one) => one === word)
  const isAlone = type === 'anyone' || type === 'service'
  const isWrong =
    (isAlone && id !== undefined) ||
    (type === 'operator' && id !== undefined && !/^(client|owner):./.test(id))
  return type === undefined || isWrong || given.length > longestName
    ? null
    : { type, id: id ?? null }
}
