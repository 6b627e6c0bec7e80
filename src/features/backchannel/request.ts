/** The backchannel authentication endpoint (OpenID CIBA section 7). */
import { openAuthentication, readClientForm } from '../../clients/authenticate.ts'
import { answerJson } from '../../http/answer.ts'
import type { Exchange } from '../../http/exchange.ts'
import { type Client, isPublic } from '../../model/client.ts'
import { type FamilyId, type MailId, makeId } from '../../model/ids.ts'
import { signatureAlgorithms } from '../../model/key.ts'
import { english } from '../../model/language.ts'
import { ownerLimits } from '../../owners/limits.ts'
import { canMail } from '../../owners/ways-in.ts'
import { parseParameters, refuseRepeated, refuseUnsupported } from '../../protocol/parameters.ts'
import { Refusal, refuseForNow } from '../../protocol/refusal.ts'
import type { ServiceParts } from '../../registries.ts'
import { parseEndingRequest } from '../../requests/ending-request.ts'
import { unsupportedAtPages } from '../../requests/unsupported.ts'
import { isForPart } from '../../rooms/form.ts'
import { type Handler, json, type RouteRow } from '../../route.ts'
import { makePollCode } from '../../tokens/polled-request.ts'
import {
  formatAsked,
  parseExpiry,
  parseMessage,
  parseNotificationToken,
  readSigned,
} from './asked.ts'
import type { BackchannelBounds, BackchannelRequest } from './contract.ts'
import { authReqIdPrefix, backchannelGrantType } from './grant.ts'
import { backchannelLimits } from './limits.ts'
import { deliveryModes } from './members.ts'
import { openPeople } from './people.ts'
import { wrapPing } from './pings.ts'

const requireGrant = (client: Client): void => {
  if (client.grantTypes.includes(backchannelGrantType) && !isPublic(client)) return
  const said = `the client is not registered for the grant type ${backchannelGrantType}`
  throw new Refusal('unauthorized_client', 'backchannel_grant_not_registered', said)
}

type StartedRequest = Omit<
  BackchannelRequest,
  'secretDigest' | 'state' | 'authorizationId' | 'salt' | 'terms' | 'keptUntil'
>

/** Anybody can register a client. The operator knows the other ones. */
const getBounds = ({ ofStranger, createdAt: at }: StartedRequest): BackchannelBounds => {
  const { ofOwner, ofOwnerInAll, ofOwnerByStrangers, ofNetwork, inAll } = backchannelLimits
  return {
    ofHint: ofOwner,
    ofOwner,
    ofOwnerInAll: ofStranger ? ofOwnerByStrangers : ofOwnerInAll,
    denials: backchannelLimits.denials,
    since: at - backchannelLimits.denialSeconds,
    ofNetwork: ofStranger ? ofNetwork : null,
    inAll: ofStranger ? inAll : null,
  }
}

/** How long to wait where too many requests are open: some end by then. */
const crowdedSeconds = 60

const refuseCrowd = (outcome: 'too_many_of_hint' | 'too_many'): Refusal =>
  outcome === 'too_many'
    ? refuseForNow('backchannel_in_all', 'too many requests wait for a decision', crowdedSeconds)
    : refuseForNow(
        'backchannel_of_hint',
        `${backchannelLimits.ofOwner} requests of the client wait for this person`,
        crowdedSeconds,
      )

const openStarting = (needs: ServiceParts) => {
  const { store, random, tell } = needs

  /** Queued whether or not somebody is asked, so that no answer comes sooner. */
  const mail = async (
    { createdAt, expiresAt }: StartedRequest,
    asked: StartedRequest['ownerId'],
    lang: string,
  ) => {
    if (!canMail(needs)) return
    const about = {
      ownerId: asked,
      about: '/account/requests',
      language: lang,
      waits: false,
    } as const
    const times = { nextAt: createdAt, tries: 0, expiresAt }
    const most = Math.floor(ownerLimits.mailsWaiting * ownerLimits.mailsOfStrangers)
    // The page has the request in any case.
    await store
      .queueMail({ id: makeId<MailId>(needs), kind: 'asked', ...about, ...times }, most)
      .catch((fault: unknown) =>
        tell({ level: 'error', message: 'a mail was not queued', fault: String(fault) }),
      )
  }

  /** @throws Refusal `too_many_requests` */
  return async (begun: StartedRequest, token: string | null, lang: string) => {
    const { text, secretDigest } = makePollCode(authReqIdPrefix, begun.id, random)
    const ping = token === null ? null : wrapPing(begun.id, { token, authReqId: text }, needs)
    const undecided = { authorizationId: null, salt: null, terms: null, keptUntil: null } as const
    const request = { ...begun, secretDigest, ...undecided, state: 'pending', ping } as const
    const started = await store.startBackchannel(request, getBounds(begun))
    if (started.outcome !== 'started') throw refuseCrowd(started.outcome)
    const { isHeard, isFirst, isFirstOfOwner } = started
    if (isFirst) await mail(begun, isHeard && isFirstOfOwner ? begun.ownerId : null, lang)
    return text
  }
}

export const openBackchannelRequest = (given: ServiceParts): readonly RouteRow[] => {
  const needs = { ...given, ...openAuthentication(given) }
  const { settings, resources, authenticate } = needs
  const findPerson = openPeople(needs)
  const start = openStarting(needs)

  /** What the owner is to decide about. */
  const readAsked = async (exchange: Exchange) => {
    const form = await readClientForm(exchange.request)
    const client = await authenticate(exchange, form)
    requireGrant(client)
    const asker = { ...exchange, isForPart: isForPart(exchange.request) }
    const parameters = await readSigned(form, client, asker, needs)
    refuseRepeated(parameters)
    refuseUnsupported(parameters, unsupportedAtPages)
    const text = formatAsked(parameters, client)
    const hint = parameters.find('id_token_hint')
    const hinted = hint === null ? '' : `&${new URLSearchParams({ id_token_hint: hint })}`
    const asked = parseParameters(text + hinted)
    await resources.learnAsked(asked)
    const { login } = await parseEndingRequest(asked, client, needs)
    return { client, parameters, text, subject: login.subjects?.[0] ?? null }
  }

  const request: Handler = async (exchange) => {
    const { at, caller } = exchange
    const { client, parameters, text, subject } = await readAsked(exchange)
    const message = parseMessage(parameters)
    const seconds = parseExpiry(parameters, settings.limits.backchannelRequestSeconds)
    const token = parseNotificationToken(parameters, client)
    const { owner, hint } = await findPerson(parameters, subject, client)
    if (owner === null && client.trusted) {
      throw new Refusal('unknown_user_id', 'unknown_user', 'the hint means nobody here')
    }
    const of = { clientId: client.id, ownerId: owner?.id ?? null, hint }
    const times = { createdAt: at, expiresAt: at + seconds }
    const ofStranger = client.registeredBy === 'itself'
    const said = { parameters: text, message, network: caller.network, ping: null, ofStranger }
    const begun = { id: makeId<FamilyId>(needs), ...of, ...said, ...times }
    const language = owner?.pages.language ?? english.lang
    return answerJson({
      auth_req_id: await start(begun, token, language),
      expires_in: seconds,
      interval: settings.limits.deviceIntervalSeconds,
    })
  }

  return [
    {
      ...json,
      method: 'POST',
      path: '/bc-authorize',
      handler: request,
      metadata: () => ({
        backchannel_authentication_endpoint: `${settings.issuer}/bc-authorize`,
        backchannel_token_delivery_modes_supported: deliveryModes,
        backchannel_authentication_request_signing_alg_values_supported: signatureAlgorithms,
        backchannel_user_code_parameter_supported: false,
      }),
    },
  ]
}
