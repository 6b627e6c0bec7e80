/** The URL of a store: an SQLite file, or a PostgreSQL database. */
import type { Parse } from './values.ts'

const isPostgres = (text: string): boolean =>
  /^postgres(ql)?:\/\//.test(text) && URL.canParse(text) && new URL(text).pathname.length > 1

export const parseStore: Parse<string> = (given) => {
  const text = typeof given === 'string' ? given : ''
  if (/^sqlite:./.test(text) || isPostgres(text)) return { value: text }
  return { expected: 'sqlite:PATH or postgres://USER:PASSWORD@HOST:PORT/DATABASE' }
}

const holdsPassword = (given: unknown): boolean => {
  if (typeof given !== 'string' || !isPostgres(given)) return false
  const { password, searchParams } = new URL(given)
  return password !== '' || searchParams.has('password')
}

/**
 * Why a URL may not be given as a flag, or null: everybody on the machine can read the arguments of a
 * process.
 *
 * @param flag such as `--store`
 * @param instead other ways to give the whole URL, such as `LATCHKEY_STORE_FILE`
 */
export const passwordFault = (flag: string, given: unknown, instead: string): string | null =>
  holdsPassword(given)
    ? `${flag} must not hold a password, because every user of this machine can read it: put the password in PGPASSWORD or a password file (PGPASSFILE)${instead}`
    : null

/** The file of an embedded store; null where the store is elsewhere. */
export const sqlitePath = ({ store }: { readonly store: string }): string | null =>
  store.startsWith('sqlite:') ? store.replace(/^sqlite:/, '') : null
