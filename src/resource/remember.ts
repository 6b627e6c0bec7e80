/** One question at a time about each token, and a cache of the answers. */
import { guardLimits } from './guard-limits.ts'
import type { Introspect, Introspected } from './introspection.ts'
import type { ProtectOptions } from './options.ts'

interface Kept {
  readonly said: Introspected
  /** Unix milliseconds. */
  readonly until: number
}

/** Answers about tokens, up to a bound. The oldest answer goes first. */
const createCache = (seconds: number) => {
  const answers = new Map<string, Kept>()
  return {
    find(token: string, at: number): Introspected | null {
      const kept = answers.get(token)
      if (kept === undefined) return null
      if (at < kept.until) return kept.said
      answers.delete(token)
      return null
    },
    /** @param asked when the question was sent: what changed since then is not in the answer */
    keep(token: string, said: Introspected, asked: number): void {
      const { expiresAt } = said.access
      const until = Math.min(asked + seconds * 1000, (expiresAt ?? Number.POSITIVE_INFINITY) * 1000)
      answers.delete(token)
      answers.set(token, { said, until })
      const [oldest] = answers.keys()
      if (answers.size > guardLimits.rememberedTokens && oldest !== undefined) {
        answers.delete(oldest)
      }
    },
  }
}

/**
 * Inactive tokens are not cached. Strangers can make up as many as they like, and would push the
 * others out.
 */
export const rememberAnswers = (
  introspect: Introspect,
  { cacheSeconds, clock }: Required<Pick<ProtectOptions, 'cacheSeconds' | 'clock'>>,
): Introspect => {
  const underWay = new Map<string, Promise<Introspected | null>>()
  const cache = createCache(cacheSeconds)

  const ask = async (token: string): Promise<Introspected | null> => {
    const asked = clock()
    try {
      const said = await introspect(token)
      if (said !== null && cacheSeconds > 0) cache.keep(token, said, asked)
      return said
    } finally {
      underWay.delete(token)
    }
  }

  return async (token) => {
    const kept = cache.find(token, clock())
    if (kept !== null) return kept
    const question = underWay.get(token) ?? ask(token)
    underWay.set(token, question)
    return question
  }
}
