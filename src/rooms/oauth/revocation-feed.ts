/**
 * The feed of revocations: security event tokens (RFC 8417) for APIs that verify JWTs by themselves.
 * APIs poll the feed as RFC 8936 says. Several processes of one API read the same feed, each with a cursor of
 * its own, so an acknowledgement removes nothing.
 */

import type { Resources } from '../../access/resources.ts'
import { answerJson } from '../../http/answer.ts'
import { readJsonObject } from '../../http/body.ts'
import { type Client, isPublic } from '../../model/client.ts'
import type { JsonObject } from '../../model/json.ts'
import { isConcerned, type Revocation } from '../../model/revocation.ts'
import { Parameters } from '../../protocol/parameters.ts'
import { getProfile, pickAlgorithm } from '../../protocol/profile.ts'
import { Refusal } from '../../protocol/refusal.ts'
import type { ServiceParts } from '../../registries.ts'
import { revocationEvent } from '../../resource/doubts.ts'
import { type Handler, json, type MetadataFragment, type RouteRow } from '../../route.ts'
import { type FeedPage, feedLimits } from '../../tokens/revocation-feed.ts'
import type { ClientNeeds } from './needs.ts'

const malformed = (description: string): Refusal =>
  new Refusal('invalid_request', 'malformed_poll', description)

const isCount = (given: unknown): given is number =>
  Number.isSafeInteger(given) && Number(given) >= 0

/** A poll (RFC 8936 section 2.2). Its `after` is the `next` of the answer before; null for the first one. */
const parsePoll = (given: Readonly<Record<string, unknown>>) => {
  const { after = null, maxEvents = feedLimits.revocations, returnImmediately = false } = given
  const { waitSeconds = feedLimits.waitSeconds } = given
  const isCursor = typeof after === 'string' && after.length <= feedLimits.cursorCharacters
  if (after !== null && !isCursor) throw malformed('after has to be the next of an earlier answer')
  if (!isCount(maxEvents)) throw malformed('maxEvents has to be a whole number')
  if (!isCount(waitSeconds)) throw malformed('waitSeconds has to be a whole number')
  if (typeof returnImmediately !== 'boolean') {
    throw malformed('returnImmediately has to be true or false')
  }
  const most = Math.min(maxEvents, feedLimits.revocations)
  const seconds = returnImmediately ? 0 : Math.min(waitSeconds, feedLimits.waitSeconds)
  return { after, most, seconds }
}

const listNames = (client: Client, resources: Resources): readonly string[] =>
  resources
    .list()
    .filter(({ introspectionClients: ids }) => ids.includes(client.id))
    .map(({ name }) => name)

/** A resource that another node has just added is looked up before the refusal. */
const checkApi = async (client: Client, resources: Resources): Promise<void> => {
  if (client.mayIntrospect) return
  if (!isPublic(client)) {
    if (listNames(client, resources).length > 0) return
    await resources.learn()
    if (listNames(client, resources).length > 0) return
  }
  throw new Refusal(
    'unauthorized_client',
    'no_resource_server',
    'the feed is for the introspection_clients of a resource',
    { status: 403 },
  )
}

const makeClaims = (
  { id, at, subject, subjectId, isFinal }: Revocation,
  client: Client,
  now: number,
  issuer: string,
): JsonObject => ({
  iss: issuer,
  aud: client.id,
  iat: now,
  jti: id,
  toe: at,
  events: { [revocationEvent]: { subject, id: subjectId, final: isFinal } },
})

/** The part of a page for one API, cut short where it wants fewer. */
const selectPart = (page: FeedPage, client: Client, most: number, resources: Resources) => {
  const names = listNames(client, resources)
  const isKnown = (name: string): boolean => resources.find(name) !== null
  const its = page.revocations.filter(
    (one) => client.mayIntrospect || isConcerned(one, names, isKnown),
  )
  const last = its[most - 1]
  if (its.length <= most || last === undefined) return { its, next: page.next, more: page.hasMore }
  const [epoch] = page.next.split('.')
  return { its: its.slice(0, most), next: `${epoch}.${last.position}`, more: true }
}

/** The next revocations for an API. A patient poll waits for the first. */
const findNews = async (
  { after, most, seconds }: ReturnType<typeof parsePoll>,
  client: Client,
  { revocationFeed: feed, resources }: ServiceParts,
) => {
  const page = await feed.read(after)
  const found = selectPart(page, client, most, resources)
  const isNews = found.its.length > 0 || page.isReset || found.more
  if (isNews || seconds === 0) return { ...found, isReset: page.isReset }
  await feed.wait(found.next, seconds, client.id)
  const later = await feed.read(found.next)
  return { ...selectPart(later, client, most, resources), isReset: later.isReset }
}

const feedMetadata: MetadataFragment = ({ settings }) => ({
  revocation_feed_endpoint: `${settings.issuer}/revocation-feed`,
})

export const openRevocationFeed = (needs: ClientNeeds): readonly RouteRow[] => {
  const { authenticate, settings, signer, clock, resources } = needs

  const poll: Handler = async (exchange) => {
    const client = await authenticate(exchange, new Parameters(new Map()))
    await checkApi(client, resources)
    const asked = parsePoll(await readJsonObject(exchange.request))
    // Without events there is nothing but acknowledgements (RFC 8936 section 2.4).
    if (asked.most === 0) return answerJson({ sets: {}, moreAvailable: true })
    const { its, next, more, isReset } = await findNews(asked, client, needs)
    // An API that wants its answers signed so can check such a signature.
    const chosen = client.display.introspection_signed_response_alg ?? 'ES256'
    const algorithm = pickAlgorithm(chosen, getProfile(client, settings))
    const sets = await Promise.all(
      its.map(async (revocation) => {
        const claims = makeClaims(revocation, client, Math.floor(clock() / 1000), settings.issuer)
        return [revocation.id, await signer.sign(claims, algorithm, 'secevent+jwt')] as const
      }),
    )
    return answerJson({
      sets: Object.fromEntries(sets),
      moreAvailable: more,
      next,
      ...(isReset ? { reset: true } : {}),
    })
  }

  return [
    { ...json, method: 'POST', path: '/revocation-feed', handler: poll, metadata: feedMetadata },
  ]
}
