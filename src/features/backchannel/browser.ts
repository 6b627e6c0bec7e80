/** `/account/requests`: an owner decides about the requests of applications, each once. */
import { findClient } from '../../clients/find.ts'
import { makeSalt } from '../../crypto/digest.ts'
import type { Answer } from '../../http/answer.ts'
import { deriveTerms } from '../../journey/next-step.ts'
import { computeEnd } from '../../model/authorization.ts'
import {
  type AuthorizationId,
  type ClientId,
  type FamilyId,
  isId,
  makeId,
} from '../../model/ids.ts'
import { type Parameters, parseParameters } from '../../protocol/parameters.ts'
import { invalidRequest, Refusal } from '../../protocol/refusal.ts'
import type { ServiceParts } from '../../registries.ts'
import { parseEndingRequest } from '../../requests/ending-request.ts'
import { pickGiven } from '../../rooms/account/frame.ts'
import { pickDuration } from '../../rooms/oauth/consent/show.ts'
import { hasChanged, parseTicked, parseTickedDetails } from '../../rooms/oauth/consent/ticked.ts'
import { answerDoneAt, type OwnerVisit, readDone } from '../../rooms/owner-visit.ts'
import type { Pages } from '../../rooms/pages.ts'
import { showPage } from '../../rooms/visit.ts'
import type { RouteRow } from '../../route.ts'
import { traceOf } from '../../store/trace.ts'
import { formatTerms } from '../../tokens/polled-request.ts'
import type { BackchannelRequest } from './contract.ts'
import { backchannelLimits } from './limits.ts'
import { type RequestsPage, type RequestsProblem, renderRequests } from './page.ts'
import { describeRequest, type OpenRequest } from './show.ts'

const path = '/account/requests'

const refused = {
  over: { status: 409, reason: 'backchannel_over' },
  changed: { status: 409, reason: 'backchannel_changed' },
  paused: { status: 409, reason: 'backchannel_paused' },
} as const

/** Reads a stored request again: the client may ask for less by now. */
const openReading =
  (needs: ServiceParts) =>
  async (stored: BackchannelRequest, { login, at }: OwnerVisit): Promise<OpenRequest | null> => {
    const { settings, resources } = needs
    const client = await findClient(stored.clientId, needs)
    if (client === null) return null
    const parameters = parseParameters(stored.parameters)
    await resources.learnAsked(parameters)
    const target = { client, redirectUri: settings.issuer + path }
    try {
      const request = await parseEndingRequest(parameters, client, needs)
      const read = { stored, client, request, target, kept: null }
      if (!request.permissions.includes('offline_access')) return read
      const duration = pickDuration(client, settings)
      const { id: sessionId } = login.session
      if (duration === 'session') return { ...read, kept: { keptUntil: null, sessionId } }
      return { ...read, kept: { keptUntil: computeEnd(duration, at), sessionId: null } }
    } catch (fault) {
      if (fault instanceof Refusal) return null
      throw fault
    }
  }

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
    const what = { authorizationId: makeId<AuthorizationId>(needs), permissions, details, terms }
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
  const read = openReading(needs)
  const deciding = openDeciding(needs)

  const show = async (
    visit: OwnerVisit,
    problem: RequestsProblem | null = null,
  ): Promise<Answer> => {
    const { ofOwnerInAll: most } = backchannelLimits
    const stored = await store.listBackchannels(visit.login.owner.id, visit.at, most)
    const open = await Promise.all(stored.map((one) => read(one, visit)))
    const requests = open
      .filter((one) => one !== null)
      .map((one) => describeRequest(one, visit, needs))
    const done = problem === null ? await findDone(visit, needs) : null
    const html = renderRequests({ ...pickGiven(visit), requests, done, problem })
    return showPage(visit, html, { ...(problem && refused[problem]) })
  }

  const findOpen = async (id: string, visit: OwnerVisit): Promise<OpenRequest | null> => {
    const stored = isId(id) ? await store.findBackchannel(id as FamilyId) : null
    const isOpen = stored?.state === 'pending' && stored.expiresAt > visit.at
    if (!isOpen || stored.ownerId !== visit.login.owner.id) return null
    return read(stored, visit)
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
    return answerDoneAt(visit, path, { what, clientId })
  }

  return pages.ownerForm(path, (visit) => show(visit), take)
}
