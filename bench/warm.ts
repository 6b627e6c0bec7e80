/**
 * The slices of an operation before those that count. V8 compiles what runs often, for longer where an
 * operation waits for a disk.
 */

/** Two slices that differ by less than this share are alike. */
const alikeShare = 0.05
/** A server on a busy machine may never be steady. */
const mostWarmSlices = 12

const areAlike = (before: number, now: number): boolean =>
  Math.abs(now - before) < alikeShare * Math.max(now, before)

/**
 * Runs slices until two in a row are alike.
 *
 * @param measureSlice the requests per second of one more slice, or a fault
 * @returns the fault of a slice, or null
 */
export const warmUp = async (
  measureSlice: () => Promise<number | string>,
): Promise<string | null> => {
  let before: number | null = null
  for (let slice = 0; slice < mostWarmSlices; slice++) {
    const now = await measureSlice()
    if (typeof now === 'string') return now
    if (before !== null && areAlike(before, now)) return null
    before = now
  }
  return null
}
