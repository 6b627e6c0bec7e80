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
import { answerRedirect } from '../../../http/answer.ts'
import { queryOf } from '../../../http/exchange.ts'
import type { Client } from '../../../model/client.ts'
import type { JsonObject } from '../../../model/json.ts'
import { findNamedClient } from '../../../operations/clients.ts'
import { Refusal } from '../../../protocol/refusal.ts'
import type { ServiceParts } from '../../../registries.ts'
import { challengeOf } from '../../../requests/pkce.ts'
import { traceOf } from '../../../store/trace.ts'
import { showPage } from '../../visit.ts'
import { type ConsoleVisit, consoleAction, consolePage } from '../visit.ts'
import { renderTrial, renderTrialResult, type TrialResult } from './trial-page.ts'
import { consoleClientsWords } from './words.ts'

const usesCode = ({ grantTypes, disabled }: Client): boolean =>
  grantTypes.includes('authorization_code') && !disabled

/** @throws Refusal `conflict` where there is nothing to try */
const findTriable = async (visit: ConsoleVisit, parts: ServiceParts): Promise<Client> => {
  const client = await findNamedClient(visit, parts)
  if (usesCode(client)) return client
  const said = consoleClientsWords(visit.view.language).trial.noCode
  throw new Refusal('conflict', 'no_code_grant', said)
}

export const showTrial = consolePage(async (visit, parts) => {
  const client = await findTriable(visit, parts)
  return showPage(visit, renderTrial(visit.given, client, trialCallback(parts.settings.issuer)))
}, 'operator')

const begin = async (visit: ConsoleVisit, parts: ServiceParts) => {
  const { issuer } = parts.settings
  const tried = await findTriable(visit, parts)
  await removeOldTrials(() => traceOf(visit, parts), parts)
  const { client } = await createByOperator(trialMetadata(tried, issuer), () => {}, visit, parts)
  const { id } = client
  const request = new URLSearchParams({
    response_type: 'code',
    client_id: id,
    redirect_uri: trialCallback(issuer),
    scope: formatScope([...tried.scope, 'openid']),
    state: trialState(id, visit.csrf),
    code_challenge: challengeOf(trialVerifier(id, visit.csrf)) ?? '',
    code_challenge_method: 'S256',
  })
  return answerRedirect(`${issuer}/authorize?${request}`, 303)
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

const redeem = async (
  visit: ConsoleVisit,
  client: Client,
  code: string,
  parts: ServiceParts,
): Promise<TrialResult> => {
  const trace = traceOf(visit, parts)
  const presented = {
    code,
    redirectUri: trialCallback(parts.settings.issuer),
    verifier: trialVerifier(client.id, visit.csrf),
    indicators: [],
  }
  try {
    const earned = await parts.tokens.redeemCode(presented, client, trace)
    const answer = await parts.tokens.issue(client, earned, trace)
    return { is: 'worked', answer: withoutTokens(answer), claims: claimsOf(answer) }
  } catch (fault) {
    if (!(fault instanceof Refusal) || fault.status >= 500) throw fault
    return { is: 'failed', error: fault.code, description: fault.description }
  }
}

/** The trial ends here, however it went: its client is deleted, and with it everything that it got. */
const finish = async (visit: ConsoleVisit, parts: ServiceParts) => {
  const query = queryOf(visit.request)
  const client = await findTrial(query.find('state') ?? '', visit.csrf, parts)
  if (client === null) {
    const said = consoleClientsWords(visit.view.language).trial.ended
    throw new Refusal('invalid_request', 'no_trial', said)
  }
  const code = query.find('code')
  const result: TrialResult =
    code === null
      ? {
          is: 'failed',
          error: query.find('error') ?? '',
          description: query.find('error_description') ?? '',
        }
      : await redeem(visit, client, code, parts)
  await parts.store.deleteClient(client.id, traceOf(visit, parts))
  return showPage(visit, renderTrialResult(visit.given, result))
}

export const beginTrial = consoleAction((visit, _form, parts) => begin(visit, parts))

export const finishTrial = consolePage(finish, 'operator')
