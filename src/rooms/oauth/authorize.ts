/** The authorization endpoint (RFC 6749 section 3.1): begins a journey, and every page leads back here. */

import { makeSecret } from '../../crypto/digest.ts'
import { answerRedirect } from '../../http/answer.ts'
import { formType, readMediaType, readText } from '../../http/body.ts'
import { isSecure, setCookie } from '../../http/cookies.ts'
import { httpLimits } from '../../http/limits.ts'
import { getRawQuery, type HttpRequest, queryOf } from '../../http/request.ts'
import { type Journey, openJourney, sealJourney } from '../../journey/journey.ts'
import type { NextStep } from '../../journey/next-step.ts'
import { readParameters, refuseAnswered, resolveJourney, situate } from '../../journey/situation.ts'
import type { Client } from '../../model/client.ts'
import { type FamilyId, makeId } from '../../model/ids.ts'
import {
  contentEncryptions,
  jwsAlgorithms,
  keyEncryptions,
  signatureAlgorithms,
} from '../../model/key.ts'
import type { Meter } from '../../model/metric.ts'
import { authenticationContexts } from '../../model/session.ts'
import { findVisitor, type Visitor } from '../../owners/session.ts'
import { pageUrl } from '../../paper/view.ts'
import { invalidRequest, Refusal } from '../../protocol/refusal.ts'
import type { ServiceParts } from '../../registries.ts'
import { requestLimits } from '../../requests/limits.ts'
import { listModes } from '../../requests/response-type.ts'
import { type Handler, type MetadataFragment, makeRows, type RouteRow } from '../../route.ts'
import { isForPart } from '../form.ts'
import { answerSeeOther, getBasePath, makeView } from '../visit.ts'
import { openAnswering } from './answering.ts'
import { refreshDocument } from './refresh-document.ts'

const journeyCharacters = 24 * 1024

const receiveParameters = async (request: HttpRequest): Promise<string> => {
  const query = getRawQuery(request)
  // One that is in the query and in the body has come twice.
  const parameters =
    request.method === 'POST'
      ? [query, await readBody(request)].filter((text) => text !== '').join('&')
      : query
  if (parameters.length > requestLimits.authorizationRequestCharacters) throw tooLong(parameters)
  if (!/^[\x21-\x7e]*$/.test(parameters)) {
    const said = 'the parameters are not percent-encoded'
    throw new Refusal('invalid_request', 'not_encoded', said, { parameters })
  }
  return parameters
}

const tooLong = (parameters: string): Refusal =>
  new Refusal(
    'invalid_request',
    'request_too_long',
    `the authorization request is longer than ${requestLimits.authorizationRequestCharacters} characters`,
    { parameters },
  )

const readBody = (request: HttpRequest): Promise<string> => {
  if (readMediaType(request) !== formType) {
    throw invalidRequest('not_a_form', `Content-Type has to be ${formType} in UTF-8`)
  }
  return readText(request, httpLimits.formBytes)
}

const beginJourney = (
  parameters: string,
  visitor: Visitor,
  at: number,
  needs: ServiceParts,
): Journey => ({
  id: makeId<FamilyId>(needs),
  parameters,
  startedAt: at,
  sessionAtStart: visitor.login?.session.id ?? null,
  decision: null,
  unresolved: true,
  awaitsMail: false,
  pushed: null,
  ending: null,
})

/** The journey that comes back from one of our pages; a client's own parameter of that name is none. */
const findResumed = (request: HttpRequest): string | null => {
  if (request.method !== 'GET') return null
  const query = queryOf(request)
  return query.find('client_id') === null ? query.find('journey') : null
}

/**
 * Counts how far the journey has come. A page reloaded on the way is counted again: the numbers are
 * for a chart.
 */
const countSteps = (
  client: Client,
  { step }: NextStep,
  { decision }: Journey,
  isNew: boolean,
  meter: Meter,
): void => {
  if (isNew) meter.countStep(client, 'authorize')
  // Nobody gets to the consent page, or past it, without a login.
  const isPast = step === 'answer' && decision === null
  if (step === 'consent' || isPast) meter.countStep(client, 'login')
  if (step === 'answer') meter.countStep(client, 'consent')
}

const requestObjectMetadata = {
  request_parameter_supported: true,
  request_uri_parameter_supported: true,
  require_request_uri_registration: true,
  request_object_signing_alg_values_supported: signatureAlgorithms,
  require_signed_request_object: false,
}

const authorizeMetadata: MetadataFragment = ({ settings, languages, registries }) => {
  const { responseTypes, prompts } = registries
  return {
    authorization_endpoint: `${settings.issuer}/authorize`,
    response_types_supported: responseTypes.map(({ type }) => type),
    response_modes_supported: listModes([...new Set(responseTypes.flatMap(({ modes }) => modes))]),
    authorization_signing_alg_values_supported: jwsAlgorithms,
    authorization_encryption_alg_values_supported: keyEncryptions,
    authorization_encryption_enc_values_supported: contentEncryptions,
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    prompt_values_supported: prompts.map(({ value }) => value),
    acr_values_supported: authenticationContexts,
    display_values_supported: ['page'],
    claims_parameter_supported: true,
    ui_locales_supported: languages.map(({ lang }) => lang),
    ...requestObjectMetadata,
    client_id_metadata_document_supported: settings.registration !== 'off',
  }
}

export const openAuthorize = (needs: ServiceParts): readonly RouteRow[] => {
  const { random, documents, meter } = needs
  const { refuse, respond } = openAnswering(needs)
  const secure = isSecure(needs)
  const own = `${getBasePath(needs)}/authorize`

  const authorize: Handler = async (exchange) => {
    const { request, at } = exchange
    const visitor = await findVisitor(exchange, needs)
    const resumed = findResumed(request)
    const parameters = resumed === null ? await receiveParameters(request) : ''
    if (request.method === 'POST' && visitor.browser === null) {
      // Sent from another site it comes without cookies (RFC 6265bis section 5.2): as a GET it has them.
      return answerRedirect(`${own}?${parameters}`, 303)
    }
    const begun =
      resumed === null
        ? beginJourney(parameters, visitor, at, needs)
        : await openJourney(resumed, visitor.browser, at, needs)
    const asker = { ...exchange, isForPart: isForPart(request) }
    const outer = readParameters(begun)
    const refused = await refreshDocument(outer, asker, documents)
    if (refused !== null) throw refused.about(begun.parameters)
    const { journey, ...known } = await resolveJourney(begun, outer, asker, needs)
    if (journey.parameters.length > requestLimits.authorizationRequestCharacters) {
      throw tooLong(journey.parameters)
    }
    const { target, next } = await situate(journey, visitor, at, needs, known)
    const { ending } = journey
    if (target.redirectUri !== null) {
      countSteps(target.client, next, journey, resumed === null, meter)
      if (next.step === 'refuse') return refuse(target, next, journey, exchange)
      if (next.step === 'answer') {
        if (resumed !== null) await refuseAnswered(journey, next.authorization.ownerId, needs)
        const answer = await respond({ target, next }, journey, exchange)
        if (answer.refused === undefined) meter.countStep(target.client, 'code')
        return answer
      }
    } else if (ending !== null && ['begin', 'answer', 'refuse'].includes(next.step)) {
      const view = makeView(exchange, needs, journey)
      return answerSeeOther({ view }, ending.page, { journey: resumed ?? '' })
    }
    const browser = visitor.browser ?? makeSecret('', random)
    const cookies = visitor.browser === null ? [setCookie('browser', browser, secure)] : []
    const sealed = sealJourney(journey, browser, needs)
    if (sealed.length > journeyCharacters) throw tooLong(journey.parameters)
    const to = pageUrl(makeView(exchange, needs), `/${next.step}`, { journey: sealed })
    return answerRedirect(to, 302, cookies)
  }

  return makeRows('/authorize', authorize, authorize, { metadata: authorizeMetadata })
}
