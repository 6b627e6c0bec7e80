/**
 * The subject of an owner, as a client and its resource servers know it (OpenID Connect Core section 8).
 * Clients of one sector share a pairwise subject. Two sectors cannot tell that theirs are one owner.
 */
import type { OwnerId } from '../model/ids.ts'
import { isPairwise, type Sectored, sectorOf } from '../model/sector.ts'
import type { Subjects } from './pairwise-secret.ts'

/** @throws StoreFault where the secret behind pairwise subjects does not open */
export const subjectOf = async (
  client: Sectored,
  ownerId: OwnerId,
  { subjects }: { readonly subjects: Subjects },
): Promise<string> => (isPairwise(client) ? subjects.of(sectorOf(client), ownerId) : ownerId)
