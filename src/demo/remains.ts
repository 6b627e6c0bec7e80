/**
 * A former demo: everyone knows its secrets, and anyone may have tokens of it. So it must not be
 * served as the real thing. A fact in the store says so, whatever was deleted since.
 */
import { findClient } from '../clients/find.ts'
import { isLoopbackHttp } from '../config/issuer.ts'
import { digest, equalDigests } from '../crypto/digest.ts'
import type { Passwords } from '../crypto/password.ts'
import type { Store } from '../store/store.ts'
import { demoClients, demoOwners } from './people.ts'

/** The store was once a demo, at another issuer. */
class DemoRemains extends Error {
  constructor() {
    super(
      'this database was seeded with the demo, whose secrets everyone knows: use a new database (LATCHKEY_STORE) for any other service',
    )
  }
}

/** Whether a client or a person of the demo is still there, with the secret that everyone knows. */
const hasDemoRemains = async (
  store: Pick<Store, 'findClient' | 'findOwnerByName'>,
  passwords: Pick<Passwords, 'verify'>,
): Promise<boolean> => {
  for (const { id, secret } of demoClients) {
    const client = await findClient(id, { store })
    if (client === null || client.secretDigest === null || secret === null) continue
    if (equalDigests(client.secretDigest, digest(secret))) return true
  }
  for (const { username, password } of demoOwners) {
    const owner = await store.findOwnerByName(username)
    if (owner !== null && (await passwords.verify(owner.passwordHash, password))) return true
  }
  return false
}

type DemoStore = Pick<Store, 'findFact' | 'setFact' | 'findClient' | 'findOwnerByName'>

/**
 * Notes the issuer at which the store is a demo. A demo may come back at another port, so the latest
 * counts. A store that was never seeded with the demo stays unmarked: somebody may have started a real
 * one once without its settings.
 */
export const markDemo = async (
  store: DemoStore,
  issuer: string,
  passwords: Pick<Passwords, 'verify'>,
): Promise<void> => {
  const marked = await store.findFact('demo')
  if (marked === issuer) return
  // Before there was a mark, demos were seeded without one.
  if (marked === null && !(await hasDemoRemains(store, passwords))) return
  await store.setFact('demo', marked, issuer)
}

/**
 * Whether a service that is no demo runs on a former demo, at the same issuer.
 *
 * @throws DemoRemains where the issuer is another one
 */
export const checkDemoRemains = async (
  store: DemoStore,
  issuer: string,
  passwords: Pick<Passwords, 'verify'>,
): Promise<boolean> => {
  const marked = await store.findFact('demo')
  if (marked === null && !(await hasDemoRemains(store, passwords))) return false
  const isElsewhere = marked === null ? !isLoopbackHttp(issuer) : marked !== issuer
  if (isElsewhere) throw new DemoRemains()
  return true
}
