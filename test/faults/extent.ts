/** How much is done: little in `npm test`, everything in `npm run faults`. */

/** Kill cycles of `npm run faults`; null in the short form. */
export const fullCycles: number | null =
  process.env.FAULT_CYCLES === undefined ? null : Number(process.env.FAULT_CYCLES)

/** Numbers that look random and are the same each time (mulberry32), from 0 up to 1. */
export const numbersFrom = (seed: number) => {
  let state = seed
  return (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
