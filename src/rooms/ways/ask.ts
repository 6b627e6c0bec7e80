/** Asking for a link: the same page, the same words and the same work, whoever is meant. */
import type { Answer } from '../../http/answer.ts'
import { situate } from '../../journey/situation.ts'
import { askForMail } from '../../owners/ask-mail.ts'
import type { ServiceParts } from '../../registries.ts'
import { traceOf } from '../../store/trace.ts'
import { findTypedName, keepTypedName } from '../typed-name.ts'
import { answerSeeOther, showPage } from '../visit.ts'
import { park, type WayVisit } from '../waiting.ts'
import { type AskedFor, renderAsk, renderClosed, renderSent } from './page.ts'

interface Shown {
  readonly problem?: 'bad' | null
  readonly waitSeconds?: number | null
}

export const showAsk = (
  visit: WayVisit,
  way: AskedFor,
  { problem = null, waitSeconds = null }: Shown = {},
): Answer => {
  const { view, csrf, journey } = visit
  const html = renderAsk({ view, csrf, journey, way, problem, waitSeconds })
  if (waitSeconds !== null) {
    return showPage(visit, html, { status: 429, reason: 'mail_throttled', waitSeconds })
  }
  return showPage(visit, html, problem === null ? {} : { status: 400, reason: 'bad_email' })
}

/** The page after the form. It does not say for whom: its URL would. */
export const showSent = async (
  visit: WayVisit,
  way: AskedFor,
  parts: ServiceParts,
): Promise<Answer> => {
  const { view, csrf, journey, resumed, at } = visit
  const { settings } = parts
  const hasMailbox = settings.demo && settings.smtp === null
  const client = resumed && (await situate(resumed, visit, at, parts)).target.client
  const clientName = client?.name ?? null
  const typed = findTypedName(visit, parts)
  return showPage(visit, renderSent({ view, csrf, way, typed, hasMailbox, journey, clientName }))
}

/** People may hold a link of the operator, so the request waits here, too. */
export const showClosed = (
  visit: WayVisit,
  way: AskedFor,
  why: 'off' | 'invited',
  parts: ServiceParts,
): Answer => {
  const { view, journey, resumed } = visit
  const parked = resumed === null ? [] : park(visit, parts).cookies
  const cookies = [...visit.cookies, ...parked]
  const html = renderClosed({ view, journey, way, why })
  return showPage({ view, cookies }, html, { status: 404, reason: `${way}_closed` })
}

/** @param about a name or an address, as typed */
export const ask = async (
  visit: WayVisit,
  way: AskedFor,
  about: string,
  parts: ServiceParts,
): Promise<Answer> => {
  const waits = visit.resumed !== null
  const wanted = { kind: way, ownerId: null, about, language: visit.view.language.tag, waits }
  const waitSeconds = await askForMail(wanted, visit.address, traceOf(visit, parts), parts)
  if (waitSeconds !== null) return showAsk(visit, way, { waitSeconds })
  const { journey, cookies } = park(visit, parts)
  const kept = [...cookies, keepTypedName(about, parts)]
  return answerSeeOther(visit, `/${way}`, { sent: '1', journey }, kept)
}
