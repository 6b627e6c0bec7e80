/** The pushed authorization request endpoint (RFC 9126): what `/authorize` would refuse is refused here. */

import { readClientForm } from '../../clients/authenticate.ts'
import type { FetchAsker } from '../../clients/site-fetch.ts'
import { answerJson } from '../../http/answer.ts'
import type { Exchange } from '../../http/exchange.ts'
import { type Client, isPublic } from '../../model/client.ts'
import { type Parameters, parseParameters } from '../../protocol/parameters.ts'
import { Refusal } from '../../protocol/refusal.ts'
import { findTarget, parseAuthorizationRequest } from '../../requests/authorization-request.ts'
import { refusedDocument } from '../../requests/mistakes.ts'
import { checkPushedLength, makeRequestUri, refuseNested } from '../../requests/pushed-request.ts'
import { resolveRequest } from '../../requests/request-object.ts'
import { type Handler, type MetadataFragment, openJson, type RouteRow } from '../../route.ts'
import { isForPart } from '../form.ts'
import type { ClientNeeds } from './needs.ts'

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

/** Clients of the operator that have proved themselves are no strangers: nothing of them is bounded. */
const makeAsker = (client: Client, { at, address, request }: Exchange): FetchAsker => {
  const isTrusted = client.registeredBy === 'operator' && !isPublic(client)
  return { at, address: isTrusted ? null : address, isForPart: isForPart(request) }
}

export const openPar = (needs: ClientNeeds): readonly RouteRow[] => {
  const { authenticate, documents, resources } = needs

  /** A client that is a metadata document may be new here. */
  const refreshDocument = async (form: Parameters, exchange: Exchange): Promise<void> => {
    const id = form.find('client_id')
    const asker = { ...exchange, isForPart: isForPart(exchange.request) }
    const fault = id === null ? null : await documents.refresh(id, asker)
    if (id !== null && fault !== null) throw refusedDocument(id, fault)
  }

  const refuseProof = ({ request }: Exchange): void => {
    if (request.headers.get('dpop') === null) return
    const said = 'DPoP is not supported: send the request without the DPoP header'
    throw new Refusal('invalid_dpop_proof', 'dpop_proof', said)
  }

  const par: Handler = async (exchange) => {
    const form = await readClientForm(exchange.request)
    refuseProof(exchange)
    await refreshDocument(form, exchange)
    const credentials = new Set<string>()
    const watched = form.watch((name) => credentials.add(name))
    const client = await authenticate(exchange, watched)
    refuseNested(form)
    const pushed = formatRequest(form, credentials, client)
    const outer = parseParameters(pushed)
    const text = (await resolveRequest(outer, makeAsker(client, exchange), needs)) ?? pushed
    checkPushedLength(text)
    const parameters = parseParameters(text)
    const target = await findTarget(parameters, needs)
    await resources.learnAsked(parameters)
    await parseAuthorizationRequest(parameters, target, needs)
    return answerJson(makeRequestUri(client, text, exchange.at, needs), 201)
  }

  return [{ ...openJson, method: 'POST', path: '/par', handler: par, metadata: describePar }]
}
