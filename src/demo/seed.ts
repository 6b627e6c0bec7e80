/** Seeds the demo into an empty store. */

import type { Resources } from '../access/resources.ts'
import type { Registrable } from '../clients/grant-types.ts'
import { newClient } from '../clients/registration.ts'
import type { Settings } from '../config/settings.ts'
import { digest } from '../crypto/digest.ts'
import type { Passwords } from '../crypto/password.ts'
import { type Clock, type ItemId, makeId, type OwnerId, type Random } from '../model/ids.ts'
import { holderOfOwner } from '../model/item.ts'
import { noPageChoices, type Owner } from '../model/owner.ts'
import type { Trace } from '../store/contract/trace.ts'
import type { Store } from '../store/store.ts'
import { serviceTrace } from '../store/trace.ts'
import { demoClients, demoItems, demoOwners, redirectUriAt } from './people.ts'

/** What the demo is seeded with. */
export interface Seeded {
  readonly settings: Settings
  readonly store: Store
  readonly resources: Resources
  readonly clock: Clock
  readonly random: Random
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

const demoOwner = async (
  { username, password, name, email, claims }: (typeof demoOwners)[number],
  at: number,
  parts: Seeded,
): Promise<Owner> => ({
  id: makeId<OwnerId>(parts),
  username,
  name,
  email,
  emailVerified: true,
  attributes: {},
  roles: [],
  claims,
  updatedAt: at,
  passwordHash: await parts.passwords.hash(password),
  passwordChangedAt: 0,
  disabled: false,
  createdAt: at,
  pages: noPageChoices,
  deletionAt: null,
})

type Metadata = (typeof demoClients)[number]['metadata']

const metadataAt = (issuer: string, metadata: Metadata) =>
  'redirect_uris' in metadata
    ? {
        ...metadata,
        redirect_uris: metadata.redirect_uris.map((uri) => redirectUriAt(issuer, uri)),
      }
    : metadata

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
  const trace = (): Trace => serviceTrace(at, parts)
  const owners = await Promise.all(demoOwners.map((person) => demoOwner(person, at, parts)))
  for (const [i, { username }] of demoOwners.entries()) {
    const owner = owners[i]
    if (owner !== undefined) await seedItems(owner.id, demoItems[username], parts)
  }
  const clients = demoClients.map(({ id, secret, metadata }) => ({
    ...newClient(
      metadataAt(parts.settings.issuer, metadata),
      { by: 'operator', id, registries },
      parts,
    ).client,
    secretDigest: secret === null ? null : digest(secret),
  }))
  await Promise.all([
    ...owners.map((owner) => store.createOwner(owner, trace())),
    ...clients.map((client) => store.createClient(client, trace())),
    store.setFact('demo', null, parts.settings.issuer),
  ])
  return true
}
