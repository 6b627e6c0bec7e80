/** Seeds the demo into an empty store. */

import { newClient } from '../clients/registration.ts'
import { limits } from '../config/limits.ts'
import { digest } from '../crypto/digest.ts'
import type { ItemId, OwnerId } from '../model/ids.ts'
import type { Owner } from '../model/owner.ts'
import { makeId, type Parts } from '../parts.ts'
import type { Trace } from '../store/store.ts'
import { demoClients, demoItems, demoOwners } from './people.ts'

const seedItems = async (
  owner: OwnerId,
  things: Readonly<Record<string, readonly object[]>>,
  parts: Parts,
): Promise<void> => {
  for (const [resource, items] of Object.entries(things)) {
    for (const fields of items) {
      await parts.store.putItem({
        holder: `owner:${owner}`,
        resource,
        id: makeId<ItemId>(parts),
        fields: { ...fields },
        version: Buffer.from(parts.random(9)).toString('base64url'),
        condition: {},
        createOnly: true,
        mostItems: limits.itemsPerResource,
      })
    }
  }
}

/** Everything is written before the service listens; a start that was cut off is made good by the next. */
export const seedDemo = async (parts: Parts): Promise<void> => {
  const at = Math.floor(parts.clock() / 1000)
  const trace = (): Trace => ({ eventId: makeId(parts), at, requestId: null })
  for (const { username, password, name, email } of demoOwners) {
    if ((await parts.store.findOwnerByName(username)) !== null) continue
    const owner: Owner = {
      id: makeId<OwnerId>(parts),
      username,
      name,
      email,
      passwordHash: await parts.passwords.hash(password),
      passwordChangedAt: at,
      disabled: false,
      createdAt: at,
    }
    await seedItems(owner.id, demoItems[username], parts)
    await parts.store.createOwner(owner, trace())
  }
  for (const { id, secret, metadata } of demoClients) {
    const { client } = newClient(metadata, { by: 'operator', id }, parts)
    const secretDigest = secret === null ? null : digest(secret)
    await parts.store.createClient({ ...client, secretDigest }, trace())
  }
}
