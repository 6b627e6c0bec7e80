/** `/admin/clients/{client_id}`: one application, and what its buttons do. */

import { readFunnel } from '../../../events/series.ts'
import type { Answer } from '../../../http/answer.ts'
import type { Client } from '../../../model/client.ts'
import { findNamedClient, readClient } from '../../../operations/clients.ts'
import { type Parameters, parameterLimits } from '../../../protocol/parameters.ts'
import { requestLimits } from '../../../requests/limits.ts'
import { testRedirect } from '../../../requests/redirect-difference.ts'
import type { RouteRow } from '../../../route.ts'
import { showPage } from '../../visit.ts'
import { openActions } from '../actions.ts'
import { clientPath } from '../frame.ts'
import { readRange } from '../overview/charts.ts'
import { type Console, type ConsoleNeeds, type ConsoleVisit, consoleNotice } from '../visit.ts'
import { type ClientPage, clientActions, renderClient, renderNewSecret } from './client-page.ts'
import { consoleClientsWords } from './words.ts'

const of = '/admin/clients/:client_id'

export const openClient = (needs: ConsoleNeeds, entry: Console): readonly RouteRow[] => {
  const { store } = needs
  const find = (visit: ConsoleVisit): Promise<Client> => findNamedClient(visit, needs)

  const readUsers = async (
    { id: clientId }: Client,
    { at }: ConsoleVisit,
  ): Promise<Pick<ClientPage, 'users' | 'lastUsedAt'>> => {
    const most = parameterLimits.pageRows
    const { rows, next } = await store.listAuthorizations(
      { clientId },
      null,
      most,
      at,
      'newest first',
    )
    const uses = rows.flatMap(({ lastUsedAt }) => (lastUsedAt === null ? [] : [lastUsedAt]))
    const lastUsedAt = uses.length === 0 ? null : Math.max(...uses)
    return { users: { count: rows.length, isMore: next !== null }, lastUsedAt }
  }

  const show = async (visit: ConsoleVisit, text: string | null): Promise<Answer> => {
    const client = await find(visit)
    const range = readRange(visit, 'day')
    const html = renderClient(visit.given, {
      client,
      test: text === null ? null : { text, result: testRedirect(text, client) },
      notice: consoleNotice(visit, consoleClientsWords(visit.view.language).done),
      funnel: await readFunnel(client.id, range, visit.at, store),
      range,
      ...(await readUsers(client, visit)),
    })
    return showPage(visit, html, { hasScript: true })
  }

  const test = (visit: ConsoleVisit, form: Parameters): Promise<Answer> => {
    const text = (form.find('uri') ?? '').trim()
    return show(visit, text.slice(0, requestLimits.authorizationRequestCharacters))
  }

  return [
    entry.page(of, (visit) => show(visit, null), { offers: [readClient] }),
    openActions(
      {
        path: of,
        actions: clientActions,
        find,
        pathOf: ({ id }) => clientPath(id),
        list: '/admin/clients',
        // A secret is shown once, in the answer to the form.
        answer: (action, client, { client_secret: secret }, visit) =>
          action === 'rotate'
            ? showPage(visit, renderNewSecret(visit.given, client, String(secret)))
            : null,
      },
      entry,
    ),
    entry.page(`${of}/test`, (visit) => show(visit, null)),
    entry.look(`${of}/test`, test, { least: 'operator' }),
  ]
}
