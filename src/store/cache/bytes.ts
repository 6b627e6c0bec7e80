/** The memory of the caches: what each may take of the whole. */

const parts = { families: 6, authorizations: 8, clients: 4, items: 2, pages: 2 } as const
const whole = Object.values(parts).reduce<number>((all, one) => all + one, 0)

/** Bytes of each cache. */
export type CacheBytes = { readonly [Name in keyof typeof parts]: number }

/** @param megabytes of all caches; 0 caches nothing */
export const splitCache = (megabytes: number = whole): CacheBytes =>
  Object.fromEntries(
    Object.entries(parts).map(([name, part]) => [
      name,
      Math.floor((megabytes * 1024 * 1024 * part) / whole),
    ]),
  ) as CacheBytes
