/**
 * `/admin/clients/{client_id}/try` and `/admin/trial`: a log-in in the operator's browser. A temporary
 * client stands in for the real one, so that the real one gets no further redirect URI and nobody needs
 * its secret.
 */
import { formatScope } from '../../../access/permission.ts'
import { findClient } from '../../../clients/find.ts'
import { equalTexts, hashText } from '../../../crypto/digest.ts'
import { type Answer, answerRedirect } from '../../../http/answer.ts'
import { queryOf } from '../../../http/request.ts'
import type { Client } from '../../../model/client.ts'
import type { JsonObject } from '../../../model/json.ts'
import type { Permissions } from '../../../model/resource.ts'
import { createClient } from '../../../operations/client-changes.ts'
import { findNamedClient } from '../../../operations/clients.ts'
import { hide, sayName } from '../../../paper/fields.ts'
import { html, type Markup } from '../../../paper/markup.ts'
import { renderBack } from '../../../paper/pieces.ts'
import { pageUrl } from '../../../paper/view.ts'
import { Refusal } from '../../../protocol/refusal.ts'
import { hashVerifier } from '../../../requests/pkce.ts'
import { makeRequestUri } from '../../../requests/pushed-request.ts'
import type { RouteRow } from '../../../route.ts'
import type { Page } from '../../../store/contract/trace.ts'
import { traceOf } from '../../../store/trace.ts'
import { showPage } from '../../visit.ts'
import { type ConsolePageGiven, getSubjectPath, renderConsolePage } from '../frame.ts'
import type { Console, ConsoleNeeds, ConsoleVisit } from '../visit.ts'
import { consoleClientsWords } from './words.ts'

/** A trial of a log-in: its tokens, and its client if nobody comes back; seconds. */
const trialsTogether = 50
const trialTokenSeconds = 60
const trialSeconds = 3600
const trialNameCharacters = 200

/** Tells the clients of trials from all others, together with their redirect URI. */
const software = 'latchkey-trial'
const prefix = 'Trial of '

/** The metadata of the client that stands in. Its tokens live shortly, if anything keeps them. */
const describeTrial = (client: Client, callback: string) => ({
  client_name: `${prefix}${client.name}`.slice(0, trialNameCharacters),
  redirect_uris: [callback],
  grant_types: ['authorization_code'],
  response_types: ['code'],
  token_endpoint_auth_method: 'none',
  access_token_seconds: trialTokenSeconds,
  software_id: software,
  ...(client.scope.length === 0 ? {} : { scope: formatScope(client.scope) }),
  ...(client.requiredScope.length === 0
    ? {}
    : { required_scope: formatScope(client.requiredScope) }),
})

/** Only the login of the operator can say it. */
const deriveSecret = (use: 'state' | 'verifier', id: string, csrf: string): string =>
  hashText(`trial ${use}\n${csrf}\n${id}`)

const makeState = (id: string, csrf: string): string => `${id}.${deriveSecret('state', id, csrf)}`

/** The PKCE verifier (RFC 7636 section 4.1). */
const makeVerifier = (id: string, csrf: string): string => deriveSecret('verifier', id, csrf)

export const renderTrial = (given: ConsolePageGiven, client: Client, callback: string): string => {
  const { view, csrf } = given
  const words = consoleClientsWords(view.language).trial
  const heading = words.heading({ client: sayName(client.name) })
  const uri = html`<code>${callback}</code>`
  return renderConsolePage(given, {
    part: 'clients',
    title: words.open,
    head: html`${renderBack(view, getSubjectPath('clients', client.id), sayName(client.name))}<h1>${heading}</h1>`,
    main: html`<section class="card"><h2>${words.steps}</h2><ol>
<li>${words.copy}</li><li>${words.address({ uri })}</li><li>${words.you}</li><li>${words.gone}</li></ol>
<p class="quiet">${words.limits}</p>
<form method="post" action="${pageUrl(view, getSubjectPath('clients', client.id, '/try'))}">${hide('csrf', csrf)}<p class="actions"><button class="primary" type="submit">${words.start}</button></p></form></section>`,
  })
}

/** How a trial went. */
type TrialResult =
  | { readonly is: 'worked'; readonly answer: JsonObject; readonly claims: JsonObject | null }
  | { readonly is: 'failed'; readonly error: string; readonly description: string }

const renderJson = (heading: string, value: JsonObject): Markup =>
  html`<section class="card"><h2>${heading}</h2><pre class="command" tabindex="0" role="region" aria-label="${heading}">${JSON.stringify(value, null, 2)}</pre></section>`

export const renderTrialResult = (given: ConsolePageGiven, result: TrialResult): string => {
  const { view } = given
  const words = consoleClientsWords(view.language).trial
  const heading = result.is === 'worked' ? words.worked : words.failed
  const list = html`<p class="actions"><a class="button" href="${pageUrl(view, '/admin/clients')}">${consoleClientsWords(view.language).heading}</a></p>`
  return renderConsolePage(given, {
    part: 'clients',
    heading,
    title: heading,
    problem: result.is === 'failed' ? result.error : null,
    main:
      result.is === 'worked'
        ? html`<p>${words.cut}</p>${renderJson(words.answer, result.answer)}${result.claims === null ? null : renderJson(words.idToken, result.claims)}${list}`
        : html`<p class="card" lang="en" dir="ltr">${result.description}</p>${list}`,
  })
}

/** Tokens are not shown: only their kinds. */
const redactTokens = (answer: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(answer).map(([name, value]) => [name, name.endsWith('_token') ? '…' : value]),
  )

const decodeClaims = ({ id_token: token }: JsonObject): JsonObject | null => {
  if (typeof token !== 'string') return null
  const [, payload = ''] = token.split('.')
  return JSON.parse(Buffer.from(payload, 'base64url').toString()) as JsonObject
}

/** The page of the console to which the code comes. */
const findCallback = ({ settings }: ConsoleNeeds): string => `${settings.issuer}/admin/trial`

const isTrial = ({ display, registeredBy, redirectUris }: Client, needs: ConsoleNeeds): boolean =>
  registeredBy === 'operator' &&
  display.software_id === software &&
  redirectUris.length === 1 &&
  redirectUris[0] === findCallback(needs)

/** @throws Refusal `conflict` where there is nothing to try */
const findTriable = async (visit: ConsoleVisit, needs: ConsoleNeeds): Promise<Client> => {
  const client = await findNamedClient(visit, needs)
  if (client.grantTypes.includes('authorization_code') && !client.disabled) return client
  const said = consoleClientsWords(visit.view.language).trial.noCode
  throw new Refusal('conflict', 'no_code_grant', said)
}

/** The client of a trial that this login began. @throws Refusal `invalid_request` for any other state */
const findTrial = async (visit: ConsoleVisit, needs: ConsoleNeeds): Promise<Client> => {
  const state = queryOf(visit.request).find('state') ?? ''
  const [id = ''] = state.split('.', 1)
  const isOurs = equalTexts(state, makeState(id, visit.csrf))
  const client = isOurs ? await findClient(id, needs) : null
  if (client !== null && isTrial(client, needs)) return client
  const said = consoleClientsWords(visit.view.language).trial.ended
  throw new Refusal('invalid_request', 'no_trial', said)
}

const writeRequest = (
  id: string,
  scope: Permissions,
  callback: string,
  { csrf }: ConsoleVisit,
): URLSearchParams =>
  new URLSearchParams({
    response_type: 'code',
    client_id: id,
    redirect_uri: callback,
    scope: formatScope([...scope, 'openid']),
    state: makeState(id, csrf),
    code_challenge: hashVerifier(makeVerifier(id, csrf)) ?? '',
    code_challenge_method: 'S256',
  })

/** A service may take pushed requests only. */
const pushRequest = (
  client: Client,
  asked: URLSearchParams,
  { at }: ConsoleVisit,
  needs: ConsoleNeeds,
): URLSearchParams => {
  const { request_uri } = makeRequestUri(client, asked.toString(), at, needs)
  return new URLSearchParams({ client_id: client.id, request_uri })
}

/** Whatever happened to it meanwhile: a trial must not stay. */
const remove = (visit: ConsoleVisit, { id }: Client, needs: ConsoleNeeds) =>
  needs.store.deleteClient(id, traceOf(visit, needs))

const removeOld = async (visit: ConsoleVisit, needs: ConsoleNeeds): Promise<void> => {
  // What strangers call their clients crowds no trial out.
  const filter = { search: prefix, broughtBy: 'operator', kind: 'public' } as const
  let after: string | null = null
  do {
    const page: Page<Client> = await needs.store.listClientsBy(filter, after, trialsTogether)
    for (const client of page.rows) {
      const isOld = client.createdAt + trialSeconds <= visit.at
      if (isOld && isTrial(client, needs)) await remove(visit, client, needs)
    }
    after = page.next
  } while (after !== null)
}

const of = '/admin/clients/:client_id/try'

export const openTrial = (needs: ConsoleNeeds, entry: Console): readonly RouteRow[] => {
  const callback = findCallback(needs)

  const begin = async (visit: ConsoleVisit): Promise<Answer> => {
    const tried = await findTriable(visit, needs)
    await removeOld(visit, needs)
    const given = describeTrial(tried, callback)
    const { client_id: made } = await entry.perform(visit, { operation: createClient, given })
    const client = await findClient(String(made), needs)
    if (client === null) throw new Error('the client of a trial is gone')
    const asked = writeRequest(client.id, tried.scope, callback, visit)
    const request = pushRequest(client, asked, visit, needs)
    return answerRedirect(`${needs.settings.issuer}/authorize?${request}`, 303)
  }

  const redeem = async (
    visit: ConsoleVisit,
    client: Client,
    code: string,
  ): Promise<TrialResult> => {
    const trace = traceOf(visit, needs)
    const verifier = makeVerifier(client.id, visit.csrf)
    const presented = { code, redirectUri: callback, verifier, indicators: [], details: null }
    try {
      const earned = await needs.tokens.redeemCode({ ...presented, key: null }, client, trace)
      const answer = await needs.tokens.issue(client, earned, trace, null)
      return { is: 'worked', answer: redactTokens(answer), claims: decodeClaims(answer) }
    } catch (fault) {
      if (!(fault instanceof Refusal) || fault.status >= 500) throw fault
      return { is: 'failed', error: fault.code, description: fault.description }
    }
  }

  /** The trial ends here, however it went: its client is deleted, and with it everything that it got. */
  const finish = async (visit: ConsoleVisit): Promise<Answer> => {
    const query = queryOf(visit.request)
    const client = await findTrial(visit, needs)
    const code = query.find('code')
    const [error = '', description = ''] = ['error', 'error_description'].map(
      (name) => query.find(name) ?? '',
    )
    const result: TrialResult =
      code === null ? { is: 'failed', error, description } : await redeem(visit, client, code)
    await remove(visit, client, needs)
    return showPage(visit, renderTrialResult(visit.given, result))
  }

  const show = async (visit: ConsoleVisit): Promise<Answer> => {
    const client = await findTriable(visit, needs)
    return showPage(visit, renderTrial(visit.given, client, callback))
  }

  return [
    entry.page(of, show, { least: 'operator' }),
    entry.change(of, begin, [createClient]),
    entry.page('/admin/trial', finish, { least: 'operator' }),
  ]
}
