/** The two ways in which a read uses the cache: without other writers, and beside them. */

/**
 * Makes one read of two.
 *
 * @param find looks into the cache; `undefined` where nothing is cached
 * @param read reads, and caches the answer
 */
export type Recall = <Args extends readonly unknown[], Answer>(
  find: (...args: Args) => Answer | undefined,
  read: (...args: Args) => Promise<Answer>,
) => (...args: Args) => Promise<Answer>

/** Nobody else writes, so a cached answer holds. */
export const recallAtOnce: Recall =
  (find, read) =>
  (...args) => {
    const known = find(...args)
    return known === undefined ? read(...args) : Promise.resolve(known)
  }

/**
 * Others write, too. A cached answer holds if it is still there after a check. Anything else is read
 * at once, without a check.
 *
 * @param check begins after the call, and invalidates all changes that were committed before
 */
export const recallAfter =
  (check: () => Promise<void>): Recall =>
  (find, read) =>
  async (...args) => {
    if (find(...args) === undefined) return read(...args)
    await check()
    const known = find(...args)
    return known === undefined ? read(...args) : known
  }
