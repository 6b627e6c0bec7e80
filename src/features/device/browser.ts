/** `/device`: somebody types the code of a device, sees who asks, and decides like for any application. */
import type { Answer } from '../../http/answer.ts'
import { queryOf } from '../../http/request.ts'
import { type Journey, openJourney, sealJourney } from '../../journey/journey.ts'
import { situate } from '../../journey/situation.ts'
import { makeGuessCounters } from '../../owners/counters.ts'
import { makeTry } from '../../owners/tries.ts'
import { type Parameters, parseParameters } from '../../protocol/parameters.ts'
import { invalidRequest, Refusal } from '../../protocol/refusal.ts'
import type { ServiceParts } from '../../registries.ts'
import type { Pages } from '../../rooms/pages.ts'
import { tryOrWait } from '../../rooms/throttled.ts'
import { answerSeeOther, type BrowserVisit, makeView, showPage } from '../../rooms/visit.ts'
import { makeRows, type RouteRow } from '../../route.ts'
import { traceOf } from '../../store/trace.ts'
import { formatUserCode, hideUserCode, parseUserCode } from './codes.ts'
import type { DeviceAuthorization } from './contract.ts'
import { deviceLimits } from './limits.ts'
import { type DeviceEnd, type EnterPage, renderAsking, renderEnd, renderEnter } from './page.ts'

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
): Journey => ({
  id,
  parameters: `${parameters}&user_code=${code}`,
  startedAt: at,
  sessionAtStart: login?.session.id ?? null,
  decision: null,
  unresolved: false,
  awaitsMail: false,
  pushed: null,
  ending: { page: '/device', isBegun: false },
})

/** Finds the device behind a typed code. Wrong codes make the person or browser wait, and the network. */
const openEntering = (needs: ServiceParts) => {
  const { store, subjects, settings } = needs

  const find = (typed: string, visit: BrowserVisit): Promise<DeviceAuthorization | null> => {
    const { login, browser, address, at } = visit
    const who = login === null ? `browser ${browser}` : `owner ${login.owner.id}`
    const counted = makeGuessCounters('device', who, address, settings.limits)
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
      const journey = beginJourney(device, parseUserCode(typed) ?? '', visit)
      const sealed = sealJourney(journey, visit.browser, needs)
      return answerSeeOther(visit, '/authorize', { journey: sealed }, visit.cookies)
    }
    return tryOrWait(attempt, (seconds) => showEnter(visit, typed, 'throttled', seconds))
  }
}

/** The steps of a journey that are taken here. All others are taken where those of applications are. */
const openJourneying = (needs: ServiceParts) => {
  const { store } = needs

  const find = async (text: string, visit: BrowserVisit) => {
    const journey = await openJourney(text, visit.browser, visit.at, needs)
    if (journey.ending === null)
      throw invalidRequest('foreign_journey', 'start again at the device')
    const { target, next } = await situate(journey, visit, visit.at, needs)
    const view = makeView(visit, needs, journey, visit.login?.owner.pages)
    return { journey, ending: journey.ending, client: target.client, next, view }
  }

  type Found = Awaited<ReturnType<typeof find>>

  const showEnd = ({ client, view }: Found, end: DeviceEnd): Answer =>
    showPage(
      { view },
      renderEnd(view, client.name, end),
      end === 'over' ? { status: 400, reason: 'device_over' } : {},
    )

  const deny = async (found: Found, visit: BrowserVisit): Promise<Answer> => {
    const isDenied = await store.denyDevice(found.journey.id, traceOf(visit, needs))
    const device = isDenied ? null : await store.findDevice(found.journey.id)
    return showEnd(found, isDenied || device?.state === 'denied' ? 'denied' : 'over')
  }

  const showAsking = async (found: Found, text: string, visit: BrowserVisit): Promise<Answer> => {
    const { journey, client, view } = found
    const device = await store.findDevice(journey.id)
    if (device?.state !== 'pending' || device.expiresAt <= visit.at || visit.login === null) {
      return showEnd(found, 'over')
    }
    const html = renderAsking({
      view,
      csrf: visit.csrf,
      journey: text,
      clientName: client.name,
      clientRegisteredBy: client.registeredBy,
      clientId: client.id,
      clientUri: client.display.client_uri ?? null,
      owner: visit.login.owner,
      code: formatUserCode(parseParameters(journey.parameters).find('user_code') ?? ''),
      askedAt: device.createdAt,
      network: device.network,
    })
    return showPage({ view }, html, { hasScript: true })
  }

  return {
    async show(text: string, visit: BrowserVisit): Promise<Answer> {
      const found = await find(text, visit)
      const { journey, ending, next } = found
      const onward = (): Answer => answerSeeOther(visit, '/authorize', { journey: text })
      switch (next.step) {
        case 'login':
          return onward()
        case 'answer': {
          const { authorization, terms } = next
          const by = { authorizationId: authorization.id, terms }
          const isApproved = await store.approveDevice(journey.id, by, traceOf(visit, needs))
          return showEnd(found, isApproved ? 'approved' : 'over')
        }
        case 'refuse':
          if (next.refusal.reason === 'owner_denied') return deny(found, visit)
          throw next.refusal.about(journey.parameters)
        default:
          return ending.isBegun ? onward() : showAsking(found, text, visit)
      }
    },
    async decide(text: string, form: Parameters, visit: BrowserVisit): Promise<Answer> {
      const found = await find(text, visit)
      const { journey, ending, next } = found
      const decision = form.find('decision')
      if (next.step === 'login') return answerSeeOther(visit, '/authorize', { journey: text })
      if (decision === 'deny') return deny(found, visit)
      if (decision !== 'continue') {
        throw new Refusal(
          'invalid_request',
          'device_decision',
          'decision has to be continue or deny',
        )
      }
      const begun = { ...journey, ending: { ...ending, isBegun: true } }
      const sealed = sealJourney(begun, visit.browser, needs)
      return answerSeeOther(visit, '/authorize', { journey: sealed })
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

  return makeRows('/device', show, take)
}
