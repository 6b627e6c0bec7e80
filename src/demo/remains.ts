/** A demo that was left behind: everyone knows its secrets, so it must not be served as the real thing. */
import { digest, equalDigests } from '../crypto/digest.ts'
import type { Passwords } from '../crypto/password.ts'
import type { ClientId } from '../model/ids.ts'
import type { Store } from '../store/store.ts'
import { demoClients, demoOwners } from './people.ts'

/** The store holds clients or people whose secrets everyone knows. */
export class DemoRemains extends Error {
  constructor() {
    super(
      'this database was seeded with the demo, whose secrets everyone knows: use a new database (LATCHKEY_STORE) for a service that others can reach',
    )
  }
}

/** Whether a client or a person of the demo is still there, with the secret that everyone knows. */
export const hasDemoRemains = async (
  store: Pick<Store, 'findClient' | 'findOwnerByName'>,
  passwords: Pick<Passwords, 'verify'>,
): Promise<boolean> => {
  for (const { id, secret } of demoClients) {
    const client = await store.findClient(id as string as ClientId)
    if (client === null || client.secretDigest === null || secret === null) continue
    if (equalDigests(client.secretDigest, digest(secret))) return true
  }
  for (const { username, password } of demoOwners) {
    const owner = await store.findOwnerByName(username)
    if (owner !== null && (await passwords.verify(owner.passwordHash, password))) return true
  }
  return false
}
