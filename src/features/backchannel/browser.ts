/** `/account/requests`: an owner decides about the requests of applications, each once. */
import { findClient } from '../../clients/find.ts'
import { makeSalt } from '../../crypto/digest.ts'
import type { Answer } from '../../http/answer.ts'
import { deriveTerms } from '../../journey/next-step.ts'
import { type AuthorizationId, type ClientId, type FamilyId, isId } from '../../model/ids.ts'
import type { Parameters } from '../../protocol/parameters.ts'
import { invalidRequest } from '../../protocol/refusal.ts'
import type { ServiceParts } from '../../registries.ts'
import { pickGiven } from '../../rooms/account/frame.ts'
import { hasChanged, parseTicked, parseTickedDetails } from '../../rooms/oauth/consent/ticked.ts'
import { answerDoneAt, type OwnerVisit, readDone } from '../../rooms/owner-visit.ts'
import type { Pages } from '../../rooms/pages.ts'
import { showPage } from '../../rooms/visit.ts'
import type { RouteRow } from '../../route.ts'
import { makeOwnedId } from '../../store/placed-id.ts'
import { traceOf } from '../../store/trace.ts'
import { formatTerms } from '../../tokens/polled-request.ts'
import { type RequestsPage, type RequestsProblem, renderRequests } from './page.ts'
import { listOpenRequests, type OpenRequest, readRequest, requestsPath } from './read.ts'
import { describeRequest, findLookAlikes } from './show.ts'

const refused = {
  over: { status: 409, reason: 'backchannel_over' },
  changed: { status: 409, reason: 'backchannel_changed' },
  paused: { status: 409, reason: 'backchannel_paused' },
} as const

const openDeciding = (needs: ServiceParts) => {
  const { store, random, resources } = needs

  const allow = async (open: OpenRequest, form: Parameters, visit: OwnerVisit) => {
    const { stored, client, request, kept } = open
    const { owner, session } = visit.login
    const places = parseTickedDetails(form, open)
    const permissions = parseTicked(form, places.length > 0, open, resources.latest.names)
    // Nothing ticked is a denial.
    if (permissions.length === 0 && places.length === 0) return null
    const asked = request.terms.details ?? []
    const details = asked.filter((_, place) => places.includes(place))
    const terms = formatTerms(deriveTerms(permissions, details, request, session, client))
    const by = { ownerId: owner.id, session: session.id, salt: makeSalt(random) }
    const authorizationId = makeOwnedId<AuthorizationId>(owner.id, needs)
    const what = { authorizationId, permissions, details, terms }
    return store.approveBackchannel(stored.id, { ...by, ...what, kept }, traceOf(visit, needs))
  }

  return {
    allow,
    async deny({ stored }: OpenRequest, visit: OwnerVisit): Promise<'denied' | 'over'> {
      const { owner, session } = visit.login
      const by = { ownerId: owner.id, session: session.id }
      const isDenied = await store.denyBackchannel(stored.id, by, traceOf(visit, needs))
      return isDenied ? 'denied' : 'over'
    },
  }
}

const findDone = async (visit: OwnerVisit, needs: ServiceParts): Promise<RequestsPage['done']> => {
  const done = readDone(visit)
  if (done?.what !== 'allowed' && done?.what !== 'denied') return null
  const client = await findClient(done.clientId ?? '', needs, 'disabled')
  return client && { what: done.what, clientName: client.name }
}

export const openRequestsPage = (needs: ServiceParts, pages: Pages): readonly RouteRow[] => {
  const { store } = needs
  const deciding = openDeciding(needs)

  const show = async (
    visit: OwnerVisit,
    problem: RequestsProblem | null = null,
  ): Promise<Answer> => {
    const open = await listOpenRequests(visit, needs)
    const looks = await findLookAlikes(open, needs)
    const requests = await Promise.all(open.map((one) => describeRequest(one, visit, needs, looks)))
    const done = problem === null ? await findDone(visit, needs) : null
    const html = renderRequests({ ...pickGiven(visit), requests, done, problem })
    return showPage(visit, html, { ...(problem && refused[problem]) })
  }

  const findOpen = async (id: string, visit: OwnerVisit): Promise<OpenRequest | null> => {
    const stored = isId(id) ? await store.findBackchannel(id as FamilyId) : null
    const isOpen = stored?.state === 'pending' && stored.expiresAt > visit.at
    if (!isOpen || stored.ownerId !== visit.login.owner.id) return null
    return readRequest(stored, visit, needs)
  }

  const take = async (visit: OwnerVisit, form: Parameters): Promise<Answer> => {
    const decision = form.find('decision')
    if (decision !== 'allow' && decision !== 'deny') {
      throw invalidRequest('backchannel_decision', 'decision has to be allow or deny')
    }
    const open = await findOpen(form.require('request'), visit)
    if (open === null) return show(visit, 'over')
    const isAllowed = decision === 'allow'
    if (isAllowed && hasChanged(form, open)) return show(visit, 'changed')
    const allowed = isAllowed ? await deciding.allow(open, form, visit) : null
    const outcome = allowed ?? (await deciding.deny(open, visit))
    if (outcome === 'over' || outcome === 'paused') return show(visit, outcome)
    const what = outcome === 'approved' ? 'allowed' : 'denied'
    const clientId: ClientId = open.client.id
    return answerDoneAt(visit, requestsPath, { what, clientId })
  }

  return pages.ownerForm('/account/requests', (visit) => show(visit), take)
}
