/** The sector of a client with pairwise subjects (OpenID Connect Core section 8.1, Registration section 5). */
import type { Exchange } from '../http/exchange.ts'
import type { Outbound } from '../http/outbound.ts'
import type { Client } from '../model/client.ts'
import { parseJson } from '../model/json.ts'
import { findWebHost, isPairwise } from '../model/sector.ts'
import { type Refusal, refuseForNow } from '../protocol/refusal.ts'
import { invalidMetadata } from './invalid.ts'
import { fetchPublished, type WaysOut } from './site-fetch.ts'

type Located = Pick<Client, 'redirectUris' | 'openid'>

/**
 * Whether the redirect URIs alone make one sector.
 *
 * @throws Refusal `invalid_client_metadata`
 */
export const checkSector = (client: Located): void => {
  if (!isPairwise(client) || client.openid.sector_identifier_uri !== undefined) return
  if (new Set(client.redirectUris.map(findWebHost)).size <= 1) return
  throw invalidMetadata(
    'several_sectors',
    'subject_type pairwise needs redirect_uris of one host, or a sector_identifier_uri that lists them all',
  )
}

const refused = (reason: string, said: string): Refusal =>
  invalidMetadata(reason, `sector_identifier_uri cannot be used: ${said}`)

const fetchList = async (
  uri: string,
  parts: { readonly outbound: Outbound },
): Promise<readonly unknown[]> => {
  const answer = await fetchPublished(uri, 'application/json', parts)
  if (answer.is === 'unreachable') {
    throw refused('sector_unreachable', 'its host does not answer')
  }
  if (answer.is === 'unusable') throw refused('sector_unusable', answer.said)
  const list = parseJson(answer.text)
  if (Array.isArray(list)) return list
  throw refused('sector_not_list', 'it is no JSON list of redirect URIs')
}

const tooMany = (seconds: number): Refusal =>
  refuseForNow('sectors_bounded', 'too many failed registrations: wait', seconds)

export const createSectors = (ways: WaysOut) => ({
  /**
   * Fetches the list at `sector_identifier_uri` where a redirect URI is new to it.
   *
   * @throws Refusal `invalid_client_metadata`, `too_many_requests`
   */
  async check(
    { redirectUris, openid, registeredBy }: Located & Pick<Client, 'registeredBy'>,
    before: Located | null,
    asker: Pick<Exchange, 'at' | 'address'>,
  ): Promise<void> {
    const uri = openid.sector_identifier_uri
    if (uri === undefined) return
    const known = before?.openid.sector_identifier_uri === uri ? before.redirectUris : []
    if (redirectUris.length > 0 && redirectUris.every((one) => known.includes(one))) return
    const way = ways[registeredBy]
    const place = way.bounds.enter(asker)
    if (place.is === 'unusable') throw refused('sector_unusable', place.said)
    if (place.is === 'too_many') throw tooMany(place.seconds)
    let isDone = false
    try {
      const list = await fetchList(uri, way)
      isDone = redirectUris.every((one) => list.includes(one))
    } finally {
      place.leave(isDone ? 'done' : 'failed')
    }
    if (!isDone) throw refused('sector_lacks_uri', 'its list lacks some of redirect_uris')
  },
})

export type Sectors = ReturnType<typeof createSectors>
