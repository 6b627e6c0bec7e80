/** `latchkey client pin` and `client unpin`: a metadata document that is not fetched any more. */
import { findClient } from '../clients/find.ts'
import { changedClient, isChange } from '../clients/registration.ts'
import { builtIn } from '../registries.ts'
import type { Flags, StoreParts } from './store.ts'

/** @throws Refusal for a client that is no metadata document */
const setPinned = async ({ id }: Flags, pinned: boolean, parts: StoreParts): Promise<string> => {
  const gone = new Error(`there is no client ${id}`)
  const client = await findClient(String(id), parts, 'disabled')
  if (client === null) throw gone
  const registrar = { by: 'operator', registries: builtIn } as const
  const { change } = changedClient(client, { pinned }, registrar, parts)
  const after = isChange(change)
    ? await parts.store.changeClient(client.id, change, parts.trace())
    : client
  if (after === null) throw gone
  return client.id
}

export const pinClient = async (flags: Flags, parts: StoreParts): Promise<string> =>
  `${await setPinned(flags, true, parts)} is pinned: its document is not fetched any more.`

export const unpinClient = async (flags: Flags, parts: StoreParts): Promise<string> =>
  `${await setPinned(flags, false, parts)} is not pinned: its document is fetched again.`
