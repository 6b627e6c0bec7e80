/** All randomness of a simulation: numbers from a seed, in independent streams. */

export interface Chance {
  /** At least 0 and below 1. */
  next(): number
  /** A whole number from 0 to below `end`. */
  below(end: number): number
  /** True with this probability. */
  flip(probability: number): boolean
  pick<One>(from: readonly One[]): One
  bytes(count: number): Uint8Array
  /** A stream of its own: however much is drawn from it, this one goes on as before. */
  fork(name: string): Chance
}

/** FNV-1a, so that streams with names alike begin far apart. */
const mixed = (seed: number, name: string): number => {
  let hash = (2166136261 ^ seed) >>> 0
  for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 16777619)
  return hash >>> 0
}

/** Mulberry32: 32 bits of state are plenty for a run of a few thousand decisions. */
export const chanceOf = (seed: number, name = ''): Chance => {
  const origin = mixed(seed, name)
  let state = origin
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let word = Math.imul(state ^ (state >>> 15), state | 1)
    word ^= word + Math.imul(word ^ (word >>> 7), word | 61)
    return ((word ^ (word >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (end: number): number => Math.floor(next() * end)
  return {
    next,
    below,
    flip: (probability) => next() < probability,
    pick(from) {
      const one = from[below(from.length)]
      if (one === undefined) throw new RangeError('nothing to pick from')
      return one
    },
    bytes(count) {
      const bytes = new Uint8Array(count)
      for (let i = 0; i < count; i++) bytes[i] = below(256)
      return bytes
    },
    fork: (forked) => chanceOf(origin, forked),
  }
}
