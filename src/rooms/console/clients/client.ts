/** `/admin/clients/{client_id}`: one application, and what its buttons do. */
import { type ChartRange, chartRanges, readFunnel } from '../../../events/series.ts'
import type { Answer } from '../../../http/answer.ts'
import { queryOf } from '../../../http/exchange.ts'
import type { Client } from '../../../model/client.ts'
import {
  endClientTokens,
  revokeRegistration,
  rotateSecret,
} from '../../../operations/client-credentials.ts'
import { changeClient, deleteClient, findNamedClient } from '../../../operations/clients.ts'
import type { Operation } from '../../../operations/operation.ts'
import { type Parameters, parameterLimits } from '../../../protocol/parameters.ts'
import { Refusal } from '../../../protocol/refusal.ts'
import type { ServiceParts } from '../../../registries.ts'
import { requestLimits } from '../../../requests/limits.ts'
import { testRedirect } from '../../../requests/redirect-difference.ts'
import { showPage } from '../../visit.ts'
import { performUnlessGone } from '../perform.ts'
import {
  answerConsole,
  type ConsoleVisit,
  consoleAction,
  consoleNotice,
  consolePage,
} from '../visit.ts'
import { type ClientPage, renderClient, renderNewSecret } from './client-page.ts'
import { clientPath } from './clients-page.ts'
import { consoleClientsWords } from './words.ts'

const usersOf = async (
  { id: clientId }: Client,
  { at }: ConsoleVisit,
  { store }: ServiceParts,
): Promise<Pick<ClientPage, 'users' | 'lastUsedAt'>> => {
  const of = { clientId }
  const { rows, next } = await store.listAuthorizations(
    of,
    null,
    parameterLimits.pageRows,
    at,
    'newest first',
  )
  const uses = rows.flatMap(({ lastUsedAt }) => (lastUsedAt === null ? [] : [lastUsedAt]))
  const lastUsedAt = uses.length === 0 ? null : Math.max(...uses)
  return { users: { count: rows.length, isMore: next !== null }, lastUsedAt }
}

const rangeIn = (asked: string | null): ChartRange =>
  (Object.keys(chartRanges) as ChartRange[]).find((range) => range === asked) ?? 'day'

const show = async (
  visit: ConsoleVisit,
  client: Client,
  test: ClientPage['test'],
  parts: ServiceParts,
): Promise<Answer> => {
  const notice = consoleNotice(visit, consoleClientsWords(visit.view.language).done)
  const range = rangeIn(queryOf(visit.request).find('range'))
  const funnel = await readFunnel(client.id, range, visit.at, parts.store)
  const page = { client, test, notice, funnel, range, ...(await usersOf(client, visit, parts)) }
  return showPage(visit, renderClient(visit.given, page), { hasScript: true })
}

export const showClient = consolePage(async (visit, parts) =>
  show(visit, await findNamedClient(visit, parts), null, parts),
)

/** What a button does, and the notice after it. */
const acts: Readonly<
  Record<string, { operation: Operation; given?: Readonly<Record<string, unknown>>; said: string }>
> = {
  enable: { operation: changeClient, given: { disabled: false }, said: 'enabled' },
  disable: { operation: changeClient, given: { disabled: true }, said: 'disabled' },
  end: { operation: endClientTokens, said: 'ended' },
  revoke: { operation: revokeRegistration, said: 'revoked' },
  delete: { operation: deleteClient, said: 'deleted' },
}

const rotate = async (
  visit: ConsoleVisit,
  client: Client,
  form: Parameters,
  parts: ServiceParts,
): Promise<Answer> => {
  const given = { keep_old_seconds: Number(form.find('keep_old_seconds') ?? '0') }
  const rotated = await performUnlessGone(visit, { operation: rotateSecret, given }, parts)
  if (rotated === null) return answerConsole(visit, '/admin/clients', 'gone')
  return showPage(visit, renderNewSecret(visit.given, client, String(rotated.client_secret)))
}

const act = async (visit: ConsoleVisit, form: Parameters, parts: ServiceParts): Promise<Answer> => {
  const client = await findNamedClient(visit, parts)
  const action = form.find('action') ?? ''
  if (action === 'rotate') return rotate(visit, client, form, parts)
  const asked = Object.hasOwn(acts, action) ? acts[action] : undefined
  if (asked === undefined) {
    throw new Refusal('invalid_request', 'unknown_action', 'this form has no such action')
  }
  const done = await performUnlessGone(visit, asked, parts)
  const isGone = done === null || asked.operation === deleteClient
  const path = isGone ? '/admin/clients' : clientPath(client.id)
  return answerConsole(visit, path, done === null ? 'gone' : asked.said)
}

/** A test of a redirect URI changes nothing. */
const test = async (
  visit: ConsoleVisit,
  form: Parameters,
  parts: ServiceParts,
): Promise<Answer> => {
  const client = await findNamedClient(visit, parts)
  const text = (form.find('uri') ?? '')
    .trim()
    .slice(0, requestLimits.authorizationRequestCharacters)
  return show(visit, client, { text, result: testRedirect(text, client) }, parts)
}

export const actOnClient = consoleAction(act)

export const testClientUri = consoleAction(test, 'harmless')
