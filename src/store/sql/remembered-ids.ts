/** Ids in memory until their ends. The clock must never go back: an end far ahead would stay. */
import type { Ceremony } from '../contract/factor.ts'

/** Ids that last longer than this take half of the places at most, so that the others always have some. */
const shortSeconds = 120

/** One look forgets no more than so many. */
const forgottenTogether = 1000

interface Ending {
  readonly ids: string[]
  /** How many of them last long. */
  long: number
}

/** @param most so many are remembered */
export const createRememberedIds = (most: number) => {
  const known = new Set<string>()
  const endings = new Map<number, Ending>()
  let long = 0
  /** The latest end of a forgotten one. */
  let forgottenUntil = 0
  let lookedAt = 0

  const isLong = ({ expiresAt }: Ceremony, at: number): boolean => expiresAt - at > shortSeconds

  return {
    forgetEnded(at: number): void {
      if (at <= lookedAt) return
      let left = forgottenTogether
      for (const [end, ending] of endings) {
        if (end > at) continue
        forgottenUntil = Math.max(forgottenUntil, end)
        for (; left > 0 && ending.ids.length > 0; left--) known.delete(ending.ids.pop() ?? '')
        if (ending.ids.length > 0) return
        long -= ending.long
        endings.delete(end)
      }
      lookedAt = at
    },
    /** Also where nobody can tell any more: a late request, with an end before that of a forgotten one. */
    has: ({ id, expiresAt }: Ceremony): boolean => known.has(id) || expiresAt <= forgottenUntil,
    /** @param taken so many places wait for their ids */
    hasRoom: (one: Ceremony, at: number, taken: number): boolean =>
      known.size + taken < most && (!isLong(one, at) || long + taken < most / 2),
    add(one: Ceremony, at: number): void {
      const ending = endings.get(one.expiresAt) ?? { ids: [], long: 0 }
      endings.set(one.expiresAt, ending)
      known.add(one.id)
      ending.ids.push(one.id)
      if (!isLong(one, at)) return
      ending.long++
      long++
    },
    /** Ids with a later end. */
    list: (at: number): readonly Ceremony[] =>
      [...endings].flatMap(([expiresAt, { ids }]) =>
        expiresAt > at ? ids.map((id) => ({ id, expiresAt })) : [],
      ),
  }
}
