/** The name that somebody types to log in: a username, or the email address of an account. */
import type { Owner } from '../model/owner.ts'
import type { Store } from '../store/store.ts'

/**
 * The owner of this username, otherwise the one owner who proved this address. So an address never
 * takes a name from another account. Both are looked up each time: the time of an answer must
 * not tell which of them is known.
 */
export const findOwnerAtLogin = async (
  name: string,
  store: Pick<Store, 'findOwnerByName' | 'findOwnerByEmail'>,
): Promise<Owner | null> => {
  const [named, addressed] = await Promise.all([
    store.findOwnerByName(name, 'disabled'),
    store.findOwnerByEmail(name),
  ])
  if (named === null) return addressed
  return named.disabled ? null : named
}
