/** `GET /admin`: the first page of the console, with what needs attention, numbers and charts. */
import { type Attention, findAttention } from '../../../events/attention.ts'
import { type Overview, readOverview } from '../../../events/series.ts'
import { type IconName, icons } from '../../../paper/icon.ts'
import { type Content, html, type Markup } from '../../../paper/markup.ts'
import { renderGo, renderRow, renderRows } from '../../../paper/rows.ts'
import { sayWhen } from '../../../paper/time.ts'
import type { View } from '../../../paper/view.ts'
import type { RouteRow } from '../../../route.ts'
import { sayUpstream } from '../../upstream-trip.ts'
import { showPage } from '../../visit.ts'
import {
  type ConsolePageGiven,
  type ConsolePart,
  getPlace,
  renderConsolePage,
  renderLink,
} from '../frame.ts'
import type { Console, ConsoleNeeds } from '../visit.ts'
import { consoleWords } from '../words.ts'
import { readRange, renderCharts, renderRanges } from './charts.ts'
import { chartWords } from './words.ts'

interface OverviewPage extends ConsolePageGiven {
  readonly overview: Overview
  readonly attention: readonly Attention[]
  /** People whose next try to log in has to wait; null if a machine of the database does not say it. */
  readonly waiting: number | null
  readonly webhooks: readonly ShownWebhook[]
}

/** The icon of each kind, and the page that helps. */
const helps: Readonly<Record<Attention['is'], readonly [IconName, ConsolePart | null]>> = {
  theft: ['warning', 'events'],
  wrongCodes: ['lock', 'events'],
  guessing: ['lock', 'refusals'],
  rising: ['stop', 'refusals'],
  risen: ['stop', 'refusals'],
  missing: ['warning', 'upstreams'],
  unchecked: ['warning', 'upstreams'],
  deafApi: ['warning', 'streams'],
  machine: ['warning', null],
  oldKey: ['key', 'keys'],
  mails: ['mail', null],
  hashes: ['clock', null],
}

const renderAttention = (one: Attention, view: View): Markup => {
  const words = chartWords(view.language)
  const { parts } = consoleWords(view.language)
  const [icon, part] = helps[one.is]
  const wrongCodes = one.is === 'wrongCodes' ? { type: 'login.second_factor_failed' } : {}
  const facts =
    one.is === 'deafApi' ? { ...one, resource: renderLink(view, 'resources', one.resource) } : one
  const query = one.is === 'theft' ? { type: one.type } : wrongCodes
  return renderRow({
    mark: icons[icon],
    // Each kind has the words that take its facts.
    title: (words[one.is] as (facts: object) => Content)(facts),
    end: part === null ? null : renderGo(view, getPlace(part), parts[part], query),
  })
}

/** A webhook and what waits for it. */
interface ShownWebhook {
  readonly id: string
  readonly waiting: number
  /** Since when the oldest event waits, in unix seconds; null where none does. */
  readonly oldestAt: number | null
}

const renderWebhooks = (webhooks: readonly ShownWebhook[], view: View): Markup | null => {
  const words = chartWords(view.language)
  if (webhooks.length === 0) return null
  const rows = webhooks.map(({ id, waiting, oldestAt }) =>
    renderRow({
      title: html`<code>${id}</code>`,
      says: oldestAt === null ? words.webhookCalm : words.webhookWaits({ count: waiting }),
      end: oldestAt === null ? null : sayWhen(oldestAt, view.at, view),
    }),
  )
  return html`<section class="card"><h2>${words.webhooks}</h2>${renderRows(rows)}</section>`
}

/** The heading is the finding, and what needs the operator stands first. */
export const renderOverview = (given: OverviewPage): string => {
  const { view, overview, attention, waiting, webhooks } = given
  const { calm, needYou } = chartWords(view.language)
  const heading = attention.length === 0 ? calm : needYou({ count: attention.length })
  return renderConsolePage(given, {
    part: 'overview',
    head: html`<div class="head"><h1>${heading}</h1>${renderRanges(overview.range, '/admin', view)}</div>`,
    main: html`${attention.length === 0 ? null : renderRows(attention.map((one) => renderAttention(one, view)))}
${renderWebhooks(webhooks, view)}
${renderCharts(overview, waiting, view)}`,
  })
}

export const openOverview = (needs: ConsoleNeeds, entry: Console): RouteRow =>
  entry.page('/admin', async (visit) => {
    const overview = await readOverview(readRange(visit, 'hour'), visit.at, needs.store)
    const found = await findAttention(overview, visit.at, needs)
    const attention = found.map((one) =>
      'upstream' in one
        ? { ...one, upstream: sayUpstream(one.upstream, needs, visit.view.language) }
        : one,
    )
    const isAway = found.some(({ is }) => is === 'machine')
    const counted = needs.store.countWaitingOwners(visit.at)
    const waiting = await (isAway ? counted.catch(() => null) : counted)
    const queues = await needs.store.listWebhookQueues()
    const webhooks = needs.settings.webhooks.map(({ id }) => {
      const queue = queues.find(({ webhook }) => webhook === id)
      return { id, waiting: queue?.waiting ?? 0, oldestAt: queue?.oldestAt ?? null }
    })
    const html = renderOverview({ ...visit.given, overview, attention, waiting, webhooks })
    return showPage(visit, html)
  })
