/**
 * The start of a service on its store. A demo is seeded into an empty store. Any other service refuses a former
 * demo: everyone knows its secrets, and anyone may have tokens of it. A fact in the store says so, whatever was
 * deleted since.
 */
import type { Resources } from '../access/resources.ts'
import { findClient } from '../clients/find.ts'
import type { Registrable } from '../clients/grant-types.ts'
import { makeClient } from '../clients/registration.ts'
import { isLoopbackHttp } from '../config/issuer.ts'
import type { Settings } from '../config/settings.ts'
import { equalDigests, hashText } from '../crypto/digest.ts'
import type { Passwords } from '../crypto/password.ts'
import type { Vault } from '../crypto/wrap.ts'
import {
  type Clock,
  holderOfOwner,
  type ItemId,
  makeId,
  type OwnerId,
  type Random,
} from '../model/ids.ts'
import type { Tell } from '../model/notice.ts'
import type { Owner } from '../model/owner.ts'
import { makeOwner } from '../owners/registration.ts'
import type { Trace } from '../store/contract/trace.ts'
import { StoreFault } from '../store/fault.ts'
import type { Store } from '../store/store.ts'
import { makeServiceTrace } from '../store/trace.ts'
import { demoClients, demoItems, demoOwners, placeRedirectUri } from './people.ts'

interface Seeded {
  readonly settings: Settings
  readonly store: Store
  readonly resources: Resources
  readonly clock: Clock
  readonly random: Random
  readonly vault: Vault
  readonly passwords: Passwords
}

const seedItems = async (
  owner: OwnerId,
  things: Readonly<Record<string, readonly object[]>>,
  parts: Seeded,
): Promise<void> => {
  for (const [resource, items] of Object.entries(things)) {
    for (const fields of items) {
      await parts.store.putItem({
        holder: holderOfOwner(owner),
        resource,
        id: makeId<ItemId>(parts),
        fields: { ...fields },
        version: Buffer.from(parts.random(9)).toString('base64url'),
        condition: {},
        createOnly: true,
        mostItems: parts.settings.limits.itemsPerResource,
      })
    }
  }
}

/** The rule for new passwords is for those that nobody knows. */
const makeDemoOwner = async (
  { username, password, name, email, claims }: (typeof demoOwners)[number],
  parts: Seeded,
): Promise<Owner> => {
  const hash = await parts.passwords.hash(password)
  return makeOwner({ username, name, email, email_verified: true, claims }, hash, parts)
}

/**
 * Seeds the demo, if the store is empty: what someone deleted does not come back at the next start.
 * People and clients are written together and last, so a start that was cut off leaves it empty.
 *
 * @returns whether the store was empty
 */
export const seedDemo = async (parts: Seeded, registries: Registrable): Promise<boolean> => {
  const { store } = parts
  if (!(await store.isEmpty())) return false
  const at = Math.floor(parts.clock() / 1000)
  const trace = (): Trace => makeServiceTrace(at, parts)
  const owners = await Promise.all(demoOwners.map((person) => makeDemoOwner(person, parts)))
  for (const [i, { username }] of demoOwners.entries()) {
    const owner = owners[i]
    if (owner !== undefined) await seedItems(owner.id, demoItems[username], parts)
  }
  const { issuer } = parts.settings
  const clients = demoClients.map(({ id, secret, metadata }) => {
    const uris = 'redirect_uris' in metadata ? metadata.redirect_uris : []
    const placed = { ...metadata, redirect_uris: uris.map((uri) => placeRedirectUri(issuer, uri)) }
    const { client } = makeClient(placed, { by: 'operator', id, registries }, parts)
    return { ...client, secretDigest: secret === null ? null : hashText(secret) }
  })
  await Promise.all([
    ...owners.map((owner) => store.createOwner(owner, trace())),
    ...clients.map((client) => store.createClient(client, trace())),
    store.setFact('demo', null, issuer),
  ])
  return true
}

/** The store was once a demo, at another issuer. */
class DemoRemains extends Error {
  constructor() {
    super(
      'this database was seeded with the demo, whose secrets everyone knows: use a new database (LATCHKEY_STORE) for any other service',
    )
  }
}

type SeededStore = Pick<Seeded, 'store' | 'passwords'>

/** @throws what else the store says */
const forgiveAway = (fault: unknown): null => {
  if (fault instanceof StoreFault && fault.reason === 'unreachable') return null
  throw fault
}

/** Whether a client or a person of the demo is still there, with the secret that everyone knows. */
const hasDemoRemains = async ({ store, passwords }: SeededStore): Promise<boolean> => {
  for (const { id, secret } of demoClients) {
    const client = await findClient(id, { store })
    if (client === null || client.secretDigest === null || secret === null) continue
    if (equalDigests(client.secretDigest, hashText(secret))) return true
  }
  for (const { username, password } of demoOwners) {
    // One machine of many that is away keeps no node from starting. The clients were looked at.
    const owner = await store.findOwnerByName(username).catch(forgiveAway)
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

/** Whether the store is the demo of this issuer, and has its people and applications. */
export const isDemoAt = async (issuer: string, store: Store): Promise<boolean> =>
  (await store.findFact('demo')) === issuer

const noDemoHere =
  'the demo is on, but this database was made without it: set LATCHKEY_DEMO=0. A demo may show mails and reasons of refusals to everybody on this machine'

/** @throws DemoRemains */
export const beginDemo = async (
  parts: Seeded & { readonly tell: Tell },
  registries: Registrable,
): Promise<void> => {
  const { demo, issuer } = parts.settings
  if (demo) {
    await seedDemo(parts, registries)
    await markDemo(issuer, parts)
    if (!(await isDemoAt(issuer, parts.store))) parts.tell({ level: 'warn', message: noDemoHere })
  } else if (await checkDemoRemains(issuer, parts)) {
    const message = 'this database holds the demo, whose secrets everyone knows'
    parts.tell({ level: 'warn', message })
  }
}
