/** `/admin/clients/{client_id}/try` and `/admin/trial`: a log-in in the operator's browser, for a client made for it. */
import { formatScope } from '../../../access/permission.ts'
import { createByOperator } from '../../../clients/operate.ts'
import {
  findTrial,
  removeOldTrials,
  trialCallback,
  trialMetadata,
  trialState,
  trialVerifier,
} from '../../../clients/trial.ts'
import { type Answer, answerRedirect } from '../../../http/answer.ts'
import { queryOf } from '../../../http/exchange.ts'
import type { Client } from '../../../model/client.ts'
import type { JsonObject } from '../../../model/json.ts'
import type { Permissions } from '../../../model/resource.ts'
import { findNamedClient } from '../../../operations/clients.ts'
import { hidden, named } from '../../../paper/fields.ts'
import { html, type Markup } from '../../../paper/markup.ts'
import { pageUrl } from '../../../paper/view.ts'
import { Refusal } from '../../../protocol/refusal.ts'
import { challengeOf } from '../../../requests/pkce.ts'
import type { RouteRow } from '../../../route.ts'
import { traceOf } from '../../../store/trace.ts'
import { showPage } from '../../visit.ts'
import { type ConsolePageGiven, clientPath, renderBack, renderConsolePage } from '../frame.ts'
import type { Console, ConsoleNeeds, ConsoleVisit } from '../visit.ts'
import { consoleClientsWords } from './words.ts'

export const renderTrial = (given: ConsolePageGiven, client: Client, callback: string): string => {
  const { view, csrf } = given
  const words = consoleClientsWords(view.language).trial
  const heading = words.heading({ client: named(client.name) })
  const uri = html`<code>${callback}</code>`
  return renderConsolePage(given, {
    part: 'clients',
    title: words.open,
    head: html`${renderBack(view, clientPath(client.id), named(client.name))}<h1>${heading}</h1>`,
    main: html`<section class="card"><h2>${words.steps}</h2><ol>
<li>${words.copy}</li><li>${words.address({ uri })}</li><li>${words.you}</li><li>${words.gone}</li></ol>
<p class="quiet">${words.limits}</p>
<form method="post" action="${pageUrl(view, clientPath(client.id, '/try'))}">${hidden('csrf', csrf)}<p class="actions"><button class="primary" type="submit">${words.start}</button></p></form></section>`,
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
const withoutTokens = (answer: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(answer).map(([name, value]) => [name, name.endsWith('_token') ? '…' : value]),
  )

const claimsOf = ({ id_token: token }: JsonObject): JsonObject | null => {
  if (typeof token !== 'string') return null
  const [, payload = ''] = token.split('.')
  return JSON.parse(Buffer.from(payload, 'base64url').toString()) as JsonObject
}

const requestFor = (
  { id }: Client,
  scope: Permissions,
  callback: string,
  { csrf }: ConsoleVisit,
): URLSearchParams =>
  new URLSearchParams({
    response_type: 'code',
    client_id: id,
    redirect_uri: callback,
    scope: formatScope([...scope, 'openid']),
    state: trialState(id, csrf),
    code_challenge: challengeOf(trialVerifier(id, csrf)) ?? '',
    code_challenge_method: 'S256',
  })

const of = '/admin/clients/:client_id/try'

export const openTrial = (needs: ConsoleNeeds, entry: Console): readonly RouteRow[] => {
  const { issuer } = needs.settings
  const callback = trialCallback(issuer)

  /** @throws Refusal `conflict` where there is nothing to try */
  const findTriable = async (visit: ConsoleVisit): Promise<Client> => {
    const client = await findNamedClient(visit, needs)
    if (client.grantTypes.includes('authorization_code') && !client.disabled) return client
    const said = consoleClientsWords(visit.view.language).trial.noCode
    throw new Refusal('conflict', 'no_code_grant', said)
  }

  const begin = async (visit: ConsoleVisit): Promise<Answer> => {
    const tried = await findTriable(visit)
    await removeOldTrials(() => traceOf(visit, needs), needs)
    const { client } = await createByOperator(trialMetadata(tried, issuer), () => {}, visit, needs)
    const request = requestFor(client, tried.scope, callback, visit)
    return answerRedirect(`${issuer}/authorize?${request}`, 303)
  }

  const redeem = async (
    visit: ConsoleVisit,
    client: Client,
    code: string,
  ): Promise<TrialResult> => {
    const trace = traceOf(visit, needs)
    const verifier = trialVerifier(client.id, visit.csrf)
    const presented = { code, redirectUri: callback, verifier, indicators: [] }
    try {
      const earned = await needs.tokens.redeemCode(presented, client, trace)
      const answer = await needs.tokens.issue(client, earned, trace)
      return { is: 'worked', answer: withoutTokens(answer), claims: claimsOf(answer) }
    } catch (fault) {
      if (!(fault instanceof Refusal) || fault.status >= 500) throw fault
      return { is: 'failed', error: fault.code, description: fault.description }
    }
  }

  /** The trial ends here, however it went: its client is deleted, and with it everything that it got. */
  const finish = async (visit: ConsoleVisit): Promise<Answer> => {
    const query = queryOf(visit.request)
    const client = await findTrial(query.find('state') ?? '', visit.csrf, needs)
    if (client === null) {
      const said = consoleClientsWords(visit.view.language).trial.ended
      throw new Refusal('invalid_request', 'no_trial', said)
    }
    const code = query.find('code')
    const [error = '', description = ''] = ['error', 'error_description'].map(
      (name) => query.find(name) ?? '',
    )
    const result: TrialResult =
      code === null ? { is: 'failed', error, description } : await redeem(visit, client, code)
    await needs.store.deleteClient(client.id, traceOf(visit, needs))
    return showPage(visit, renderTrialResult(visit.given, result))
  }

  const show = async (visit: ConsoleVisit): Promise<Answer> => {
    const client = await findTriable(visit)
    return showPage(visit, renderTrial(visit.given, client, callback))
  }

  return [
    entry.page(of, show, { least: 'operator' }),
    entry.change(of, begin, []),
    entry.page('/admin/trial', finish, { least: 'operator' }),
  ]
}
