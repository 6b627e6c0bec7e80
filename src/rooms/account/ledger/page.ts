/**
 * `/account/ledger?authorization=ID`: the uses of one authorization: actions, times, networks and outcomes.
 * The ledger stays for a while after the authorization ends. `ledger.json` is a file of it, to keep.
 */

import { answerJson } from '../../../http/answer.ts'
import { type HttpRequest, queryOf } from '../../../http/request.ts'
import { normalizeName } from '../../../model/plain/line.ts'
import { countLoggedDays, countWholeDays } from '../../../model/use.ts'
import { sayName } from '../../../paper/fields.ts'
import { html, type Markup } from '../../../paper/markup.ts'
import { renderBack } from '../../../paper/pieces.ts'
import {
  type AllowedAccess,
  type Provenance,
  renderProvenance,
  sayAllowedBy,
} from '../../../paper/provenance.ts'
import { formatIso, sayMoment } from '../../../paper/time.ts'
import { pageUrl } from '../../../paper/view.ts'
import { parameterLimits } from '../../../protocol/parameters.ts'
import { invalidRequest, Refusal } from '../../../protocol/refusal.ts'
import { json, page } from '../../../route.ts'
import type { OwnerVisit } from '../../owner-visit.ts'
import { showPage } from '../../visit.ts'
import { endOf, requireAccess } from '../accesses.ts'
import { endedWords } from '../applications/words.ts'
import { type AccountPageGiven, pickGiven, renderAccountPage } from '../frame.ts'
import { accountLimits } from '../limits.ts'
import type { AccountNeeds, OpenPage } from '../needs.ts'
import { describeAllowedBy, describeDay, describeUse, formatIsoOrNull } from '../stored.ts'
import { describeUses, type LedgerLine, renderUseLog } from './lines.ts'
import { useWords } from './words.ts'

export interface LedgerPage extends AccountPageGiven, Provenance, AllowedAccess {
  readonly id: string
  readonly clientName: string
  /** When the access ended, in unix seconds; null while it lives. */
  readonly endedAt: number | null
  readonly days: number
  readonly now: number
  readonly lines: readonly LedgerLine[]
  /** Where this page begins; null = with the latest. */
  readonly before: string | null
  readonly next: string | null
  readonly nextFile: string | null
}

const linkTo = (
  { view, id }: LedgerPage,
  file: '' | '.json',
  before: string | null,
  text: string,
): Markup => {
  const query = { authorization: id, before: before ?? '' }
  const path = pageUrl(view, `/account/ledger${file}`, query)
  return html`<p class="off-paper"><a href="${path}"${file === '' ? null : html` download`}>${text}</a></p>`
}

export const renderLedger = (page: LedgerPage): string => {
  const { view, id, lines, next, nextFile, endedAt, days } = page
  const words = useWords(view.language)
  const ended = endedWords(view.language)
  const client = sayName(page.clientName)
  const allowedBy = sayAllowedBy(page, view.language)
  // A file holds more than a page, but not all of a long ledger: the rest is behind one more link.
  const rest = html`
<p class="off-paper quiet">${words.inParts({ lines: accountLimits.ledgerRows })}</p>
${linkTo(page, '', nextFile, words.nextPart)}`
  const found = html`<p>${words.about({ days })}</p>
${renderUseLog(lines, 'h2', page.now, view)}
${next === null ? null : linkTo(page, '', next, words.older)}
${linkTo(page, '.json', page.before, words.download)}${nextFile === null ? null : rest}`
  const [back, name] =
    endedAt === null
      ? ([`/account/access/${id}`, client] as const)
      : (['/account/ended', ended.title] as const)
  return renderAccountPage(page, {
    part: 'applications',
    heading: null,
    title: normalizeName(page.clientName),
    head: html`${renderBack(view, back, name)}
<h1>${words.heading({ client })}</h1>`,
    main: html`<section class="card">
${renderProvenance(page, view.language)}${allowedBy && html`<p class="quiet">${allowedBy}</p>`}
${endedAt === null ? null : html`<p>${ended.endedAt} ${sayMoment(endedAt, view)}</p>`}
${lines.length === 0 ? html`<p>${words.empty({ days })}</p>` : found}
</section>`,
  })
}

/** Nobody is meant to read anything into where a page begins. */
const formatCursor = (place: string | null): string | null =>
  place === null ? null : Buffer.from(place).toString('base64url')

const parsePlace = (cursor: string | null): string | null => {
  if (cursor === null) return null
  const place = Buffer.from(cursor, 'base64url').toString()
  if (/^\d{1,7} \d{4} [\x20-\x7e]+$/.test(place) && formatCursor(place) === cursor) return place
  throw invalidRequest('bad_cursor', 'before has to be the next of an earlier page')
}

/** A file that is kept must not turn out to be the login page. */
const refuseStranger = (): never => {
  const said = 'the login is missing or has ended: log in at /account, then ask again'
  throw new Refusal('access_denied', 'not_logged_in', said)
}

const findLedger = async (visit: OwnerVisit, { settings, store, uses }: AccountNeeds) => {
  const { request, at } = visit
  const query = queryOf(request)
  const id = query.require('authorization')
  const before = parsePlace(query.find('before'))
  // First, so that the last use that it tells is the last of its lines.
  await uses.catchUp()
  const { access, isEnded } = await requireAccess(id, visit, store)
  const of = { authorizationId: access.id, ownerId: access.ownerId }
  const days = countLoggedDays(settings.accessLogSeconds, at)
  return {
    authorization: access,
    endedAt: isEnded ? endOf(access, at) : null,
    before,
    listUses: (lines: number) => store.listUses(of, days, before, lines, at),
    countUses: () => store.countUses(of, days, at),
  }
}

/** A login leads back to the ledger of the same authorization. */
const makeLedgerName = (request: HttpRequest): string =>
  `ledger-${queryOf(request).find('authorization') ?? ''}`

export const openLedger: OpenPage = (needs, { forOwner }) => {
  const { issuer, accessLogSeconds } = needs.settings

  const show = forOwner(async (visit) => {
    const { authorization, endedAt, before, listUses } = await findLedger(visit, needs)
    const { rows, next } = await listUses(parameterLimits.pageRows)
    // If one page holds them all, one file does too.
    const nextFile = next === null ? null : (await listUses(accountLimits.ledgerRows)).next
    const html = renderLedger({
      ...pickGiven(visit),
      ...authorization,
      endedAt,
      days: countWholeDays(accessLogSeconds),
      now: visit.at,
      lines: await describeUses(rows, authorization.ownerId, visit.view.language, needs),
      before: formatCursor(before),
      next: formatCursor(next),
      nextFile: formatCursor(nextFile),
    })
    return showPage(visit, html)
  })

  /** The entries, newest first, and the counts of every day. A file has a limit; `next` is the URL of older entries. */
  const download = forOwner(async (visit) => {
    const { authorization, endedAt, listUses, countUses } = await findLedger(visit, needs)
    const { rows, next } = await listUses(accountLimits.ledgerRows)
    const query = `authorization=${authorization.id}&before=${formatCursor(next)}`
    return answerJson(
      {
        client_id: authorization.clientId,
        client_name: authorization.clientName,
        permissions: authorization.permissions,
        ...describeAllowedBy(authorization),
        allowed_at: formatIso(authorization.createdAt),
        expires_at: endedAt === null ? formatIsoOrNull(authorization.expiresAt) : null,
        ended_at: formatIsoOrNull(endedAt),
        last_used_at: formatIsoOrNull(authorization.lastUsedAt),
        taken_at: formatIso(visit.at),
        days: (await countUses()).map(describeDay),
        entries: rows.map(describeUse),
        next: next === null ? null : `${issuer}/account/ledger.json?${query}`,
      },
      200,
      { 'Content-Disposition': 'attachment; filename="ledger.json"' },
    )
  }, refuseStranger)

  return [
    { ...page, method: 'GET', path: '/account/ledger', handler: show, back: makeLedgerName },
    { ...json, method: 'GET', path: '/account/ledger.json', handler: download },
  ]
}
