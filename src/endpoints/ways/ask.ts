/** Asking for a link: the same page, the same words and the same work, whoever is meant. */
import type { Answer } from '../../http/answer.ts'
import { askForMail } from '../../owners/ask-mail.ts'
import { type AskedFor, renderAsk, renderClosed, renderSent } from '../../pages/ways-in.ts'
import { type Parts, traceOf } from '../../parts.ts'
import type { EndpointParts } from '../../registries.ts'
import { answerSeeOther, type BrowserVisit, showPage } from '../door/page.ts'

interface Shown {
  readonly problem?: 'bad' | null
  readonly waitSeconds?: number | null
}

export const showAsk = (
  visit: BrowserVisit,
  way: AskedFor,
  { problem = null, waitSeconds = null }: Shown = {},
): Answer => {
  const { view, csrf } = visit
  const html = renderAsk({ view, csrf, way, problem, waitSeconds })
  if (waitSeconds !== null) {
    return showPage(visit, html, { status: 429, reason: 'mail_throttled', waitSeconds })
  }
  return showPage(visit, html, problem === null ? {} : { status: 400, reason: 'bad_email' })
}

/** The page after the form. It does not say for whom: its URL would. */
export const showSent = (
  visit: BrowserVisit,
  way: AskedFor,
  { settings }: Pick<Parts, 'settings'>,
): Answer => {
  const hasMailbox = settings.demo && settings.smtp === null
  return showPage(visit, renderSent({ view: visit.view, way, hasMailbox }))
}

export const showClosed = (visit: BrowserVisit, way: AskedFor, why: 'off' | 'invited'): Answer =>
  showPage(visit, renderClosed({ view: visit.view, way, why }), {
    status: 404,
    reason: `${way}_closed`,
  })

/** @param about a name or an address, as typed */
export const ask = async (
  visit: BrowserVisit,
  way: AskedFor,
  about: string,
  parts: EndpointParts,
): Promise<Answer> => {
  const wanted = { kind: way, ownerId: null, about, language: visit.view.language }
  const waitSeconds = await askForMail(wanted, visit.address, traceOf(visit, parts), parts)
  if (waitSeconds !== null) return showAsk(visit, way, { waitSeconds })
  return answerSeeOther(visit, `/${way}`, { sent: '1' })
}
