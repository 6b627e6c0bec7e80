/** `/admin/owners/{id}`: one user, and what the buttons on the page do. */

import type { Answer } from '../../../http/answer.ts'
import { operatorKey } from '../../../model/actor.ts'
import { type AuthorizationId, isId, type SessionHandle } from '../../../model/ids.ts'
import { consoleRoleOf } from '../../../model/owner.ts'
import { findNamed } from '../../../operations/named-owner.ts'
import { listSessions } from '../../../operations/owner-access.ts'
import { readOwner } from '../../../operations/owners.ts'
import { canMail } from '../../../owners/ways-in.ts'
import type { RouteRow } from '../../../route.ts'
import { traceOf } from '../../../store/trace.ts'
import { showPage } from '../../visit.ts'
import { openActions } from '../actions.ts'
import { findNames } from '../events/events.ts'
import { ownerPath } from '../frame.ts'
import { consoleLimits } from '../limits.ts'
import { type Console, type ConsoleNeeds, type ConsoleVisit, consoleNotice } from '../visit.ts'
import { showOwnerLink } from './owner-link.ts'
import { ownerActions, renderOwner } from './owner-page.ts'
import { consoleOwnersWords } from './words.ts'

const path = '/admin/owners/:id'

/** So that no operator locks everybody out by mistake: another one has to do it. */
const notToOneself: readonly string[] = ['roles', 'disable', 'delete']

export const openOwner = (needs: ConsoleNeeds, entry: Console): readonly RouteRow[] => {
  const { store } = needs

  const show = async (visit: ConsoleVisit): Promise<Answer> => {
    const { at, login } = visit
    const owner = await findNamed(visit, needs)
    const { id: ownerId } = owner
    const few = consoleLimits.fewRows
    const operator = operatorKey({ type: 'operator', ownerId: login.owner.id, network: '' })
    const [factors, links, authorizations, sessions, events, ways] = await Promise.all([
      store.findFactors(ownerId),
      store.listUpstreamLinks(ownerId),
      store.listAuthorizations({ ownerId }, null, few, at, 'newest first'),
      store.listSessions(ownerId, null, few, at),
      store.listEvents({ ownerId }, null, few),
      consoleRoleOf(owner) === 'operator' ? [] : store.listWaysOfOthers(ownerId, operator),
    ])
    const html = renderOwner(visit.given, {
      owner,
      factors,
      ways,
      linked: links.map(({ upstream }) => upstream),
      authorizations: authorizations.rows,
      sessions: sessions.rows,
      events: events.rows,
      names: await findNames(events.rows, store),
      isSelf: login.owner.id === ownerId,
      canMail: canMail(needs),
      notice: consoleNotice(visit, consoleOwnersWords(visit.view.language).done),
    })
    return showPage(visit, html, { hasScript: true })
  }

  return [
    entry.page(path, show, { offers: [readOwner, listSessions] }),
    openActions(
      {
        path,
        actions: ownerActions,
        find: (visit) => findNamed(visit, needs),
        pathOf: ({ id }) => ownerPath(id),
        list: '/admin/owners',
        forbids: (action, owner, { login }) =>
          owner.id === login.owner.id && notToOneself.includes(action) ? 'own' : null,
        answer: (_action, owner, said, visit) =>
          'link' in said ? showOwnerLink(visit, owner, said) : null,
        further: {
          'end-session': async ({ id }, form, visit) => {
            const handle = form.require('session') as SessionHandle
            const ended = await store.endSessionOf(id, handle, traceOf(visit, needs))
            return ended ? 'session' : 'gone'
          },
          end: async ({ id }, form, visit) => {
            const one = form.require('authorization') as AuthorizationId
            const ended =
              isId(one) && (await store.endAuthorization(one, id, traceOf(visit, needs)))
            return ended ? 'ended' : 'gone'
          },
        },
      },
      entry,
    ),
  ]
}
