/** `/device`: an owner types the code of a device, sees who asks, and decides as about any application. */
import { decryptStatement, encryptStatement } from '../../crypto/encrypted-statement.ts'
import type { Answer } from '../../http/answer.ts'
import { queryOf } from '../../http/request.ts'
import { type Journey, openJourney, sealJourney } from '../../journey/journey.ts'
import { type Situated, situate } from '../../journey/situation.ts'
import type { Client } from '../../model/client.ts'
import { makeGuessCounters } from '../../owners/counters.ts'
import { openKnownBrowsers } from '../../owners/known-browser.ts'
import { makeTry } from '../../owners/tries.ts'
import type { View } from '../../paper/view.ts'
import type { Parameters } from '../../protocol/parameters.ts'
import { invalidRequest, type Refusal } from '../../protocol/refusal.ts'
import type { ServiceParts } from '../../registries.ts'
import type { Pages } from '../../rooms/pages.ts'
import { tryOrWait } from '../../rooms/throttled.ts'
import { answerSeeOther, type BrowserVisit, makeView, showPage } from '../../rooms/visit.ts'
import { makeRows, type RouteRow } from '../../route.ts'
import { traceOf } from '../../store/trace.ts'
import { formatTerms } from '../../tokens/polled-request.ts'
import { formatUserCode, hideUserCode, parseUserCode, userCodeStatement } from './codes.ts'
import type { DeviceAuthorization } from './contract.ts'
import { deviceLimits } from './limits.ts'
import { type DeviceEnd, type EnterPage, renderAsking, renderEnd, renderEnter } from './page.ts'

const path = '/device'

const refused = {
  empty: { status: 400, reason: 'missing_user_code' },
  wrong: { status: 400, reason: 'wrong_user_code' },
  throttled: { status: 429, reason: 'login_throttled' },
} as const

const showEnter = (
  visit: BrowserVisit,
  typed: string,
  problem: EnterPage['problem'] = null,
  waitSeconds: number | null = null,
): Answer => {
  const shown = typed.slice(0, deviceLimits.typedCharacters)
  const html = renderEnter({ ...visit, typed: shown, problem, waitSeconds })
  return showPage(visit, html, { ...(problem && refused[problem]), waitSeconds })
}

/** The request of a device waits as that of an application does, and ends here. */
const beginJourney = (
  { id, parameters }: DeviceAuthorization,
  code: string,
  { login, at }: BrowserVisit,
  needs: ServiceParts,
): Journey => ({
  id,
  parameters,
  startedAt: at,
  sessionAtStart: login?.session.id ?? null,
  decision: null,
  unresolved: false,
  awaitsMail: false,
  pushed: null,
  ending: { page: path, begunBy: null, sealed: encryptStatement(userCodeStatement, needs, code) },
})

/** Finds the device behind a typed code. Wrong codes make the person or browser wait, and the network. */
const openEntering = (needs: ServiceParts) => {
  const { store, subjects, settings } = needs

  const { ownersOf } = openKnownBrowsers(needs)

  const find = async (typed: string, visit: BrowserVisit): Promise<DeviceAuthorization | null> => {
    const { login, at } = visit
    const [known] = login === null ? await ownersOf(visit) : []
    const ownerId = login?.owner.id ?? known?.ownerId ?? null
    const counted = makeGuessCounters('device', ownerId, visit, settings.limits)
    const trace = traceOf(visit, needs)
    const look = async (): Promise<DeviceAuthorization | null> => {
      const code = parseUserCode(typed)
      if (code === null) return null
      const device = await store.findDeviceByCode(await hideUserCode(code, subjects), at)
      // Whoever has a device of their own must not buy further guesses with its code.
      if (device !== null) await store.clearAttempts([], counted, trace)
      return device
    }
    return makeTry(counted, look, trace, needs)
  }

  return (typed: string, visit: BrowserVisit): Promise<Answer> | Answer => {
    if (typed.trim() === '') return showEnter(visit, '', 'empty')
    const attempt = async (): Promise<Answer> => {
      const device = await find(typed, visit)
      if (device === null) return showEnter(visit, typed, 'wrong')
      const journey = beginJourney(device, parseUserCode(typed) ?? '', visit, needs)
      const sealed = sealJourney(journey, visit.browser, needs)
      return answerSeeOther(visit, '/authorize', { journey: sealed }, visit.cookies)
    }
    return tryOrWait(attempt, (seconds) => showEnter(visit, typed, 'throttled', seconds))
  }
}

interface FoundJourney extends Pick<Situated, 'next'> {
  readonly text: string
  readonly journey: Journey
  readonly client: Client
  readonly view: View
}

const showEnd = (
  { client, view }: Pick<FoundJourney, 'client' | 'view'>,
  end: DeviceEnd,
  reason: string | null = null,
): Answer =>
  showPage(
    { view },
    renderEnd(view, client.name, end),
    reason === null ? {} : { status: 400, reason },
  )

const showOver = (found: FoundJourney): Answer => showEnd(found, 'over', 'device_over')

/** The page about the device, before consent. */
const openAsking =
  ({ store, keyring }: ServiceParts) =>
  async (found: FoundJourney, { at, login, csrf }: BrowserVisit): Promise<Answer> => {
    const { text, journey, client, view } = found
    const device = await store.findDevice(journey.id)
    if (device?.state !== 'pending' || device.expiresAt <= at || login === null) {
      return showOver(found)
    }
    const sealed = journey.ending?.sealed ?? ''
    const code = await decryptStatement(userCodeStatement, sealed, keyring)
    const html = renderAsking({
      view,
      csrf,
      journey: text,
      clientName: client.name,
      clientRegisteredBy: client.registeredBy,
      clientId: client.id,
      clientUri: client.display.client_uri ?? null,
      owner: login.owner,
      code: formatUserCode(code ?? ''),
      askedAt: device.createdAt,
      network: device.network,
    })
    return showPage({ view }, html, { hasScript: true })
  }

/** The steps of a journey that are taken here. All others are taken where those of applications are. */
const openJourneying = (needs: ServiceParts) => {
  const { store } = needs
  const showAsking = openAsking(needs)

  const find = async (text: string, visit: BrowserVisit): Promise<FoundJourney> => {
    const journey = await openJourney(text, visit.browser, visit.at, needs)
    if (journey.ending?.page !== path) {
      throw invalidRequest('foreign_journey', 'this page belongs to another request: start again')
    }
    const { target, next } = await situate(journey, visit, visit.at, needs)
    const view = makeView(visit, needs, journey, visit.login?.owner.pages)
    return { text, journey, client: target.client, next, view }
  }

  const onward = (text: string, visit: BrowserVisit): Answer =>
    answerSeeOther(visit, '/authorize', { journey: text })

  const deny = async (found: FoundJourney, visit: BrowserVisit): Promise<Answer> => {
    const { id } = found.journey
    const isDenied = await store.denyDevice(
      id,
      visit.login?.owner.id ?? null,
      traceOf(visit, needs),
    )
    const device = isDenied ? null : await store.findDevice(id)
    return isDenied || device?.state === 'denied' ? showEnd(found, 'denied') : showOver(found)
  }

  /** What cannot be approved by anybody here is denied, as an application would hear its refusal. */
  const refuse = async (
    found: FoundJourney,
    { reason }: Refusal,
    visit: BrowserVisit,
  ): Promise<Answer> => {
    if (reason === 'owner_denied') return deny(found, visit)
    await deny(found, visit)
    return showEnd(found, 'impossible', reason)
  }

  /** Whether this owner may still decide, as the store asks it. */
  const isOpen = async ({ id }: Journey, { at, login }: BrowserVisit): Promise<boolean> => {
    const device = await store.findDevice(id)
    if (device === null || device.expiresAt <= at) return false
    const { state, authorizationId: by } = device
    if (state === 'pending' || by === null) return state === 'pending'
    const authorization = state === 'approved' ? await store.findAuthorization(by, at) : null
    return authorization !== null && authorization.ownerId === login?.owner.id
  }

  return {
    async show(text: string, visit: BrowserVisit): Promise<Answer> {
      const found = await find(text, visit)
      const { journey, next } = found
      switch (next.step) {
        case 'begin':
          return showAsking(found, visit)
        case 'answer': {
          const { terms, authorization } = next
          const { id: authorizationId, salt } = authorization
          const by = { authorizationId, salt, terms: formatTerms(terms) }
          const isApproved = await store.approveDevice(journey.id, by, traceOf(visit, needs))
          if (isApproved) return showEnd(found, 'approved')
          break
        }
        case 'refuse':
          return refuse(found, next.refusal, visit)
      }
      // The login or the approval may have ended meanwhile, or be paused: then there is another step.
      return (await isOpen(journey, visit)) ? onward(text, visit) : showOver(found)
    },
    async decide(text: string, form: Parameters, visit: BrowserVisit): Promise<Answer> {
      const found = await find(text, visit)
      const { journey, next } = found
      if (next.step !== 'begin') return onward(text, visit)
      switch (form.find('decision')) {
        case 'continue': {
          const begunBy = visit.login?.session.id ?? null
          const begun = { ...journey, ending: journey.ending && { ...journey.ending, begunBy } }
          return onward(sealJourney(begun, visit.browser, needs), visit)
        }
        case 'deny':
          return deny(found, visit)
        default:
          throw invalidRequest('device_decision', 'decision has to be continue or deny')
      }
    },
  }
}

export const openDevicePages = (needs: ServiceParts, pages: Pages): readonly RouteRow[] => {
  const enter = openEntering(needs)
  const journeying = openJourneying(needs)

  const show = pages.forBrowser((visit) => {
    const query = queryOf(visit.request)
    const journey = query.find('journey')
    return journey === null
      ? showEnter(visit, query.find('user_code') ?? '')
      : journeying.show(journey, visit)
  })

  const take = pages.forBrowser(async (visit) => {
    const form = await pages.readForm(visit)
    const journey = form.find('journey')
    return journey === null
      ? enter(form.find('user_code') ?? '', visit)
      : journeying.decide(journey, form, visit)
  })

  return makeRows(path, show, take)
}
