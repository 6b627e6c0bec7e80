/** The pushed authorization request endpoint (RFC 9126): what `/authorize` would refuse is refused here. */

import { readClientForm } from '../../clients/authenticate.ts'
import type { FetchAsker } from '../../clients/site-fetch.ts'
import { answerJson } from '../../http/answer.ts'
import type { Exchange } from '../../http/exchange.ts'
import { type Client, isPublic } from '../../model/client.ts'
import { type Parameters, parseParameters } from '../../protocol/parameters.ts'
import { Refusal, refuseForNow } from '../../protocol/refusal.ts'
import { findTarget, parseAuthorizationRequest } from '../../requests/authorization-request.ts'
import { checkPushedLength, makeRequestUri, refuseNested } from '../../requests/pushed-request.ts'
import { resolveRequest } from '../../requests/request-object.ts'
import { dpopMethod } from '../../resource/proof.ts'
import { type Handler, type MetadataFragment, openJson, type RouteRow } from '../../route.ts'
import type { ProvenKey } from '../../tokens/proofs/proof.ts'
import { isForPart } from '../form.ts'
import type { ClientNeeds } from './needs.ts'
import { refreshDocument } from './refresh-document.ts'

const describePar: MetadataFragment = ({ settings }) => ({
  pushed_authorization_request_endpoint: `${settings.issuer}/par`,
  require_pushed_authorization_requests: settings.requirePar,
})

/**
 * The request in the form. Whatever a method of authentication looked for stays behind: the browser of the
 * owner carries the request.
 */
const formatRequest = (
  form: Parameters,
  credentials: ReadonlySet<string>,
  { id }: Client,
): string => {
  const request = new URLSearchParams({ client_id: id })
  for (const name of form.names()) {
    if (name.startsWith('client_') || credentials.has(name)) continue
    for (const value of form.all(name)) request.append(name, value)
  }
  return request.toString()
}

/** A proof beside the request counts as `dpop_jkt` (RFC 9449 section 10.1). @throws Refusal `invalid_dpop_proof` */
const addKey = (asked: string, { confirmation: { method, value } }: ProvenKey): string => {
  if (method !== dpopMethod) return asked
  const named = parseParameters(asked).find('dpop_jkt')
  if (named === null) return `${asked}&dpop_jkt=${value}`
  if (named === value) return asked
  const said = 'dpop_jkt names another key than the one of the DPoP proof'
  throw new Refusal('invalid_dpop_proof', 'other_dpop_jkt', said)
}

/** Clients of the operator that have proved themselves are no strangers: nothing of them is bounded. */
const makeAsker = (client: Client, { at, address, request }: Exchange): FetchAsker => {
  const isTrusted = client.registeredBy === 'operator' && !isPublic(client)
  return { at, address: isTrusted ? null : address, isForPart: isForPart(request) }
}

export const openPar = (needs: ClientNeeds): readonly RouteRow[] => {
  const { authenticate, documents, resources, tokens, refusedAnswers } = needs

  /** Anybody can be a public client with a new key, and the note of a used proof is a row. */
  const refuseFlood = ({ address, at }: Exchange): void => {
    const seconds = refusedAnswers.secondsOver(address, at)
    if (seconds > 0) {
      throw refuseForNow('too_many_refusals', 'too many pushed requests: slow down', seconds)
    }
    refusedAnswers.count(address, at)
  }

  const par: Handler = async (exchange) => {
    const form = await readClientForm(exchange.request)
    const stranger = { ...exchange, isForPart: isForPart(exchange.request) }
    const refused = await refreshDocument(form, stranger, documents)
    if (refused !== null) throw refused
    const credentials = new Set<string>()
    const watched = form.watch((name) => credentials.add(name))
    const client = await authenticate(exchange, watched)
    const key = await tokens.findKey(exchange, client)
    refuseNested(form)
    const pushed = formatRequest(form, credentials, client)
    const outer = parseParameters(pushed)
    const asked = (await resolveRequest(outer, makeAsker(client, exchange), needs)) ?? pushed
    const text = key === null ? asked : addKey(asked, key)
    checkPushedLength(text)
    const parameters = parseParameters(text)
    const target = await findTarget(parameters, needs)
    await resources.learnAsked(parameters)
    await parseAuthorizationRequest(parameters, target, needs)
    if (key !== null && isPublic(client)) refuseFlood(exchange)
    await key?.claim()
    return answerJson(makeRequestUri(client, text, exchange.at, needs), 201)
  }

  return [{ ...openJson, method: 'POST', path: '/par', handler: par, metadata: describePar }]
}
