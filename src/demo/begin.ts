/**
 * The start of a service on its store. A demo is seeded, and any other service refuses a former demo: everyone
 * knows its secrets, and anyone may have tokens of it. A fact in the store says so, whatever was deleted since.
 */
import { findClient } from '../clients/find.ts'
import type { Registrable } from '../clients/grant-types.ts'
import { isLoopbackHttp } from '../config/issuer.ts'
import { digest, equalDigests } from '../crypto/digest.ts'
import type { Tell } from '../model/notice.ts'
import { demoClients, demoOwners } from './people.ts'
import { type Seeded, seedDemo } from './seed.ts'

/** The store was once a demo, at another issuer. */
class DemoRemains extends Error {
  constructor() {
    super(
      'this database was seeded with the demo, whose secrets everyone knows: use a new database (LATCHKEY_STORE) for any other service',
    )
  }
}

type SeededStore = Pick<Seeded, 'store' | 'passwords'>

/** Whether a client or a person of the demo is still there, with the secret that everyone knows. */
const hasDemoRemains = async ({ store, passwords }: SeededStore): Promise<boolean> => {
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

/**
 * Notes the issuer at which the store is a demo. A demo may come back at another port, so the latest
 * counts. A store that was never seeded with the demo stays unmarked: somebody may have started a real
 * one once without its settings.
 */
const markDemo = async (issuer: string, parts: SeededStore): Promise<void> => {
  const marked = await parts.store.findFact('demo')
  if (marked === issuer) return
  // Before there was a mark, demos were seeded without one.
  if (marked === null && !(await hasDemoRemains(parts))) return
  await parts.store.setFact('demo', marked, issuer)
}

/**
 * Whether a service that is no demo runs on a former demo, at the same issuer.
 *
 * @throws DemoRemains where the issuer is another one
 */
const checkDemoRemains = async (issuer: string, parts: SeededStore): Promise<boolean> => {
  const marked = await parts.store.findFact('demo')
  if (marked === null && !(await hasDemoRemains(parts))) return false
  const isElsewhere = marked === null ? !isLoopbackHttp(issuer) : marked !== issuer
  if (isElsewhere) throw new DemoRemains()
  return true
}

/** @throws DemoRemains */
export const beginDemo = async (
  parts: Seeded & { readonly tell: Tell },
  registries: Registrable,
): Promise<void> => {
  const { demo, issuer } = parts.settings
  if (demo) {
    await seedDemo(parts, registries)
    await markDemo(issuer, parts)
  } else if (await checkDemoRemains(issuer, parts)) {
    const message = 'this database holds the demo, whose secrets everyone knows'
    parts.tell({ level: 'warn', message })
  }
}
