/** `/admin/clients/{client_id}`: one application, and what its buttons do. */
import {
  endClientTokens,
  parseKeepOldSeconds,
  revokeRegistration,
  rotateClientSecret,
} from '../../../clients/credentials.ts'
import { findClient } from '../../../clients/find.ts'
import { changeByOperator } from '../../../clients/operate.ts'
import { limits } from '../../../config/limits.ts'
import { type ChartRange, chartRanges, readFunnel } from '../../../events/series.ts'
import type { Answer } from '../../../http/answer.ts'
import { queryOf } from '../../../http/exchange.ts'
import type { Client } from '../../../model/client.ts'
import { traceOf } from '../../../parts.ts'
import type { Parameters } from '../../../protocol/parameters.ts'
import { Refusal } from '../../../protocol/refusal.ts'
import type { EndpointParts } from '../../../registries.ts'
import { testRedirect } from '../../../requests/redirect-test.ts'
import { showPage } from '../../visit.ts'
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

/** @throws Refusal `not_found` */
export const findConsoleClient = async (
  { params }: Pick<ConsoleVisit, 'params'>,
  parts: EndpointParts,
): Promise<Client> => {
  const client = await findClient(params.client_id ?? '', parts, 'disabled')
  if (client !== null) return client
  throw new Refusal('not_found', 'unknown_client', 'there is no such client')
}

const usersOf = async (
  { id: clientId }: Client,
  { at }: ConsoleVisit,
  { store }: EndpointParts,
): Promise<Pick<ClientPage, 'users' | 'lastUsedAt'>> => {
  const of = { clientId }
  const { rows, next } = await store.listAuthorizations(
    of,
    null,
    limits.pageRows,
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
  parts: EndpointParts,
): Promise<Answer> => {
  const notice = consoleNotice(visit, consoleClientsWords(visit.view.language).done)
  const range = rangeIn(queryOf(visit.request).find('range'))
  const funnel = await readFunnel(client.id, range, visit.at, parts.store)
  const page = { client, test, notice, funnel, range, ...(await usersOf(client, visit, parts)) }
  return showPage(visit, renderClient(visit.given, page), { hasScript: true })
}

export const showClient = consolePage(async (visit, parts) =>
  show(visit, await findConsoleClient(visit, parts), null, parts),
)

/** The answer after a step. `after`: the client; null if it was gone. */
const answerStep = (
  visit: ConsoleVisit,
  { id }: Client,
  after: Client | null,
  what: string,
): Answer =>
  after === null
    ? answerConsole(visit, '/admin/clients', 'gone')
    : answerConsole(visit, clientPath(id), what)

const setDisabled = async (
  visit: ConsoleVisit,
  client: Client,
  disabled: boolean,
  parts: EndpointParts,
): Promise<Answer> => {
  const changed = await changeByOperator(client, { disabled }, () => {}, visit, parts)
  return answerStep(visit, client, changed?.client ?? null, disabled ? 'disabled' : 'enabled')
}

const rotate = async (
  visit: ConsoleVisit,
  client: Client,
  form: Parameters,
  parts: EndpointParts,
): Promise<Answer> => {
  const keep = Number(form.find('keep_old_seconds') ?? '0')
  const seconds = parseKeepOldSeconds({ keep_old_seconds: keep })
  const rotated = await rotateClientSecret(client, seconds, traceOf(visit, parts), parts)
  if (rotated === null) return answerConsole(visit, '/admin/clients', 'gone')
  return showPage(visit, renderNewSecret(visit.given, client, rotated.secret))
}

const act = async (
  visit: ConsoleVisit,
  form: Parameters,
  parts: EndpointParts,
): Promise<Answer> => {
  const client = await findConsoleClient(visit, parts)
  switch (form.find('action')) {
    case 'enable':
      return setDisabled(visit, client, false, parts)
    case 'disable':
      return setDisabled(visit, client, true, parts)
    case 'rotate':
      return rotate(visit, client, form, parts)
    case 'end':
      return answerStep(
        visit,
        client,
        await endClientTokens(client, traceOf(visit, parts), parts),
        'ended',
      )
    case 'revoke':
      return answerStep(
        visit,
        client,
        await revokeRegistration(client, traceOf(visit, parts), parts),
        'revoked',
      )
    case 'delete': {
      const isDeleted = await parts.store.deleteClient(client.id, traceOf(visit, parts))
      return answerConsole(visit, '/admin/clients', isDeleted ? 'deleted' : 'gone')
    }
    default:
      throw new Refusal('invalid_request', 'unknown_action', 'this form has no such action')
  }
}

/** A test of a redirect URI changes nothing. */
const test = async (
  visit: ConsoleVisit,
  form: Parameters,
  parts: EndpointParts,
): Promise<Answer> => {
  const client = await findConsoleClient(visit, parts)
  const text = (form.find('uri') ?? '').trim().slice(0, limits.authorizationRequestCharacters)
  return show(visit, client, { text, result: testRedirect(text, client) }, parts)
}

export const actOnClient = consoleAction(act)

export const testClientUri = consoleAction(test, 'harmless')
