/** The sector of a client with pairwise subjects (OpenID Connect Core section 8.1, Registration section 5). */
import type { Exchange } from '../http/exchange.ts'
import type { Outbound } from '../http/outbound.ts'
import type { Client } from '../model/client.ts'
import { hostOf, isPairwise } from '../model/sector.ts'
import { Refusal, refuseForNow } from '../protocol/refusal.ts'
import { fetchPublished, type WaysOut } from './site-fetch.ts'

export interface Sectors {
  /**
   * Fetches the list at `sector_identifier_uri` where a redirect URI is new to it.
   *
   * @throws Refusal `invalid_client_metadata`, `too_many_requests`
   */
  check(
    after: Pick<Client, 'redirectUris' | 'openid' | 'registeredBy'>,
    before: Pick<Client, 'redirectUris' | 'openid'> | null,
    asker: Pick<Exchange, 'at' | 'address'>,
  ): Promise<void>
}

const invalid = (reason: string, description: string): Refusal =>
  new Refusal('invalid_client_metadata', reason, description)

/**
 * Whether the redirect URIs alone make one sector.
 *
 * @throws Refusal `invalid_client_metadata`
 */
export const checkSector = (client: Pick<Client, 'redirectUris' | 'openid'>): void => {
  if (!isPairwise(client) || client.openid.sector_identifier_uri !== undefined) return
  if (new Set(client.redirectUris.map(hostOf)).size <= 1) return
  throw invalid(
    'several_sectors',
    'subject_type pairwise needs redirect_uris of one host, or a sector_identifier_uri that lists them all',
  )
}

const refused = (reason: string, said: string): Refusal =>
  invalid(reason, `sector_identifier_uri cannot be used: ${said}`)

const listIn = (text: string): readonly unknown[] => {
  try {
    const list: unknown = JSON.parse(text)
    if (Array.isArray(list)) return list
  } catch {
    // Said below.
  }
  throw refused('sector_not_list', 'it is no JSON list of redirect URIs')
}

const fetchList = async (
  uri: string,
  parts: { readonly outbound: Outbound },
): Promise<readonly unknown[]> => {
  const answer = await fetchPublished(uri, 'application/json', parts)
  switch (answer.is) {
    case 'fetched':
      return listIn(answer.text)
    case 'unreachable':
      throw refused('sector_unreachable', 'its host does not answer')
    case 'unusable':
      throw refused('sector_unusable', answer.said)
  }
}

const tooMany = (seconds: number): Refusal =>
  refuseForNow('sectors_bounded', 'too many failed registrations: wait', seconds)

export const createSectors = (ways: WaysOut): Sectors => ({
  async check({ redirectUris, openid, registeredBy }, before, asker) {
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
