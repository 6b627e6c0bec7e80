/** The owner behind an access token, as its client and resource servers may know the owner. */
import { findClient } from '../clients/find.ts'
import type { Client } from '../model/client.ts'
import { isPairwise } from '../model/sector.ts'
import type { Access } from '../model/token.ts'
import type { Subjects } from '../owners/pairwise-secret.ts'
import { subjectOf } from '../owners/subject.ts'
import type { Store } from '../store/store.ts'

export interface ToldSubject {
  /** Null for a token of the client itself. */
  readonly client: Client | null
  /** The client itself where no owner stands behind the token. */
  readonly sub: string
  /** Null where there is no owner. Null for a pairwise subject, too: the name would give it away. */
  readonly username: string | null
}

/**
 * Null where the client was deleted at this very moment.
 *
 * @throws StoreFault where the secret behind pairwise subjects does not open
 */
export const toldSubject = async (
  access: Access,
  parts: { readonly store: Store; readonly subjects: Subjects },
): Promise<ToldSubject | null> => {
  if (access.subject === 'client') return { client: null, sub: access.clientId, username: null }
  const client = await findClient(access.clientId, parts, 'disabled')
  if (client === null) return null
  const sub = await subjectOf(client, access.ownerId, parts)
  return { client, sub, username: isPairwise(client) ? null : access.username }
}
