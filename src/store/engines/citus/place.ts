/** The machines of the rows of each table. Some columns tell the shard. */
import { deriveShardKey, type ShardKeys } from '../../../crypto/shard-keys.ts'
import type { OwnerId } from '../../../model/ids.ts'

/**
 * How the value of a column tells a shard key. `owner`: the id of an owner. `holder`: the same, behind a prefix.
 * `placed`: an id that carries the key. `session`: the id of a session, which begins with it.
 */
export type TellingKind = 'owner' | 'holder' | 'placed' | 'session'

/**
 * `owner`: with the rows of an owner, by the columns that tell the shard key. `own`: by a column of its own.
 * `everywhere`: on every machine, since all read it and few write. All other tables are on the coordinator alone.
 */
export type TablePlace =
  | { readonly with: 'owner'; readonly by: Readonly<Record<string, TellingKind>> }
  | { readonly with: 'own'; readonly by: string }
  | { readonly with: 'everywhere' }

const byOwner: TablePlace = { with: 'owner', by: { owner_id: 'owner' } }
const everywhere: TablePlace = { with: 'everywhere' }

export const places: Readonly<Record<string, TablePlace>> = {
  owners: { with: 'owner', by: { id: 'owner' } },
  owner_words: { with: 'owner', by: { id: 'owner' } },
  group_members: byOwner,
  owner_pictures: byOwner,
  sessions: { with: 'owner', by: { id: 'session', owner_id: 'owner' } },
  client_logins: { with: 'owner', by: { owner_id: 'owner', session_id: 'session' } },
  passkeys: byOwner,
  one_time_codes: byOwner,
  recovery_codes: byOwner,
  upstream_links: byOwner,
  upstream_roles: byOwner,
  authorizations: {
    with: 'owner',
    by: { id: 'placed', owner_id: 'owner', session_id: 'session', parent_id: 'placed' },
  },
  families: { with: 'owner', by: { id: 'placed', authorization_id: 'placed' } },
  endings: { with: 'owner', by: { id: 'placed' } },
  items: { with: 'owner', by: { holder: 'holder' } },
  item_counts: { with: 'owner', by: { holder: 'holder' } },
  access_log: { with: 'owner', by: { authorization_id: 'placed' } },
  issuer_accesses: { with: 'owner', by: { owner_id: 'owner', authorization_id: 'placed' } },
  scim_users: byOwner,
  directory_leavers: byOwner,
  event_outbox: byOwner,
  names: { with: 'own', by: 'name' },
  finished_ceremonies: { with: 'own', by: 'id' },
  clients: everywhere,
  groups: everywhere,
  trusted_issuers: everywhere,
  device_authorizations: everywhere,
  backchannel_requests: everywhere,
}

/** Reads the shard key in a value; null where there is none. */
export type ReadKey = (kind: TellingKind, value: unknown) => number | null

export const openReadKey =
  (keys: ShardKeys): ReadKey =>
  (kind, value) => {
    if (typeof value !== 'string' || value === '') return null
    if (kind === 'owner') return deriveShardKey(value as OwnerId)
    // Items lie with the other rows of their owner, so that the loss of another machine is none to the owner.
    if (kind === 'holder') return deriveShardKey(value.replace(/^owner:/, '') as OwnerId)
    // The token of a client itself has an id that nobody placed. Any key will do.
    if (kind === 'placed') return keys.read(value) ?? deriveShardKey(value as OwnerId)
    const [, digits] = /^([0-9a-f]{3})\./.exec(value) ?? []
    return digits === undefined ? null : Number.parseInt(digits, 16)
  }
