/** `/admin/streams`: the streams of signals, and one of them. */
import type { Answer } from '../../http/answer.ts'
import { queryOf } from '../../http/request.ts'
import { type ClientId, isClientId } from '../../model/ids.ts'
import { pageInMemory } from '../../operations/lists.ts'
import { type Content, html, type Markup } from '../../paper/markup.ts'
import { renderBack } from '../../paper/pieces.ts'
import { sayWhen } from '../../paper/time.ts'
import { pageUrl, type View } from '../../paper/view.ts'
import type { ServiceParts } from '../../registries.ts'
import {
  type ActionRows,
  offer,
  openActions,
  renderButtonsOf,
} from '../../rooms/console/actions.ts'
import {
  type ConsolePageGiven,
  getSubjectPath,
  renderConsolePage,
  renderFact,
} from '../../rooms/console/frame.ts'
import { consoleLimits } from '../../rooms/console/limits.ts'
import { type ListPage, type ListRow, openList } from '../../rooms/console/list.ts'
import { type Console, type ConsoleVisit, findConsoleNotice } from '../../rooms/console/visit.ts'
import { showPage } from '../../rooms/visit.ts'
import type { RouteRow } from '../../route.ts'
import {
  type DescribedStream,
  describeStreamState,
  findStreamState,
  listStreams,
  readStream,
  removeStream,
  type StreamState,
} from './operations.ts'
import { consoleStreamsWords } from './words.ts'

type StreamsWords = ReturnType<typeof consoleStreamsWords>

const sayDelivery = (
  { delivery, endpoint_host: host }: DescribedStream,
  words: StreamsWords,
): Content => (delivery === 'push' ? html`${words.push}, <code>${host}</code>` : words.poll)

const sayStatus = ({ status }: DescribedStream, words: StreamsWords): string =>
  words[status as 'enabled' | 'paused' | 'disabled']

const sayWaiting = ({ waiting, lag_seconds: lag }: DescribedStream, words: StreamsWords): string =>
  lag === null ? String(waiting) : `${waiting} (${words.seconds({ count: lag })})`

const sayTaken = ({ taken_at: at }: DescribedStream, view: View, words: StreamsWords): Content =>
  at === null ? words.never : sayWhen(at, view.at, view)

const linkClient = ({ client_id: id }: DescribedStream, view: View): Markup =>
  html`<a href="${pageUrl(view, getSubjectPath('clients', id))}"><code>${id}</code></a>`

export const streamList: ListRow<DescribedStream, ListPage<DescribedStream>, StreamsWords> = {
  operation: listStreams,
  words: consoleStreamsWords,
  fields: ({ client }) => [{ name: 'client', label: client }],
  says({ view }, _page, words) {
    const link = ({ stream_id: id }: DescribedStream): Markup =>
      html`<a href="${pageUrl(view, getSubjectPath('streams', id))}"><code>${id}</code></a>`
    return {
      above: html`<p class="quiet">${words.about}</p>
`,
      columns: [
        [words.id, link],
        [words.client, (one) => linkClient(one, view)],
        [words.delivery, (one) => sayDelivery(one, words), 'aside'],
        [words.status, (one) => sayStatus(one, words)],
        [words.taken, (one) => sayTaken(one, view, words), 'aside quiet'],
        [words.waiting, (one) => sayWaiting(one, words)],
      ],
    }
  },
}

const actions = {
  remove: offer(removeStream, 'remove', 'removed'),
} satisfies ActionRows<StreamsWords, StreamState>

export const renderStream = (
  given: ConsolePageGiven,
  stream: DescribedStream,
  notice: string | null,
): string => {
  const { view, role } = given
  const words = consoleStreamsWords(view.language)
  const { stream_id: id, reason, description } = stream
  const button = renderButtonsOf(actions, given, getSubjectPath('streams', id), words)
  return renderConsolePage(given, {
    part: 'streams',
    title: id,
    head: html`${renderBack(view, '/admin/streams', words.heading)}
<h1><code>${id}</code></h1>`,
    notice,
    main: html`<section class="card"><dl class="facts">
${renderFact(words.client, linkClient(stream, view))}
${renderFact(words.delivery, sayDelivery(stream, words))}
${renderFact(words.status, sayStatus(stream, words))}
${reason === '' ? null : renderFact(words.reason, reason)}
${description === '' ? null : renderFact(words.description, description)}
${renderFact(words.created, sayWhen(stream.created_at, view.at, view))}
${renderFact(words.taken, sayTaken(stream, view, words))}
${renderFact(words.waiting, sayWaiting(stream, words))}</dl></section>
${role === 'operator' ? html`<section class="card">${button('remove')}</section>` : null}`,
  })
}

export const openConsoleStreams = (
  { store, clock }: Pick<ServiceParts, 'store' | 'clock'>,
  entry: Console,
): readonly RouteRow[] => {
  const list = openList(streamList, entry, async ({ request }, { client = '' }) => {
    const all =
      client === '' || isClientId(client)
        ? await store.listSignalStreams(client === '' ? null : (client as ClientId))
        : []
    const { rows, next } = pageInMemory(all, queryOf(request), consoleLimits.rows, ({ id }) => id)
    const resources = await store.listResources()
    const states = await Promise.all(
      rows.map((stream) => findStreamState(stream, resources, clock(), store)),
    )
    return { items: states.map(describeStreamState), next }
  })

  const show = async (visit: ConsoleVisit): Promise<Answer> => {
    const notice = findConsoleNotice(visit, consoleStreamsWords(visit.view.language).done)
    const state = await entry.find(visit, readStream)
    return showPage(visit, renderStream(visit.given, describeStreamState(state), notice))
  }

  return [
    list,
    entry.page('/admin/streams/:stream_id', show, { offers: [readStream] }),
    openActions({ of: readStream, actions }, entry),
  ]
}
