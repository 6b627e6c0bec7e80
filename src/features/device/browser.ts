/** `/device`: an owner types the code of a device, sees who asks, and decides as about any application. */
import { encryptStatement } from '../../crypto/encrypted-statement.ts'
import type { Answer } from '../../http/answer.ts'
import { queryOf } from '../../http/request.ts'
import { type Journey, sealJourney } from '../../journey/journey.ts'
import { makeGuessCounters } from '../../owners/counters.ts'
import { openKnownBrowsers } from '../../owners/known-browser.ts'
import { makeTry } from '../../owners/tries.ts'
import type { ServiceParts } from '../../registries.ts'
import type { Pages } from '../../rooms/pages.ts'
import { tryOrWait } from '../../rooms/throttled.ts'
import { answerSeeOther, type BrowserVisit, showPage } from '../../rooms/visit.ts'
import { makeRows, type RouteRow } from '../../route.ts'
import { traceOf } from '../../store/trace.ts'
import { hideUserCode, parseUserCode, userCodeStatement } from './codes.ts'
import type { DeviceAuthorization } from './contract.ts'
import { devicePath, openJourneying } from './deciding.ts'
import { deviceLimits } from './limits.ts'
import { type EnterPage, renderEnter } from './page.ts'

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
  ending: {
    page: devicePath,
    begunBy: null,
    sealed: encryptStatement(userCodeStatement, needs, code),
  },
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
