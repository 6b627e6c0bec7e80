/** `/admin/streams`: the streams of signals, and one of them. */
import type { Answer } from '../../http/answer.ts'
import { queryOf } from '../../http/request.ts'
import { type ClientId, isClientId } from '../../model/ids.ts'
import { pageInMemory } from '../../operations/lists.ts'
import { type Content, html, type Markup } from '../../paper/markup.ts'
import { renderStatus } from '../../paper/pieces.ts'
import { sayWhen } from '../../paper/time.ts'
import type { View } from '../../paper/view.ts'
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
  renderFact,
  renderFacts,
  renderLink,
  renderSubject,
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

const sayStatus = ({ status }: DescribedStream, words: StreamsWords): Markup =>
  renderStatus(words[status as 'enabled' | 'paused' | 'disabled'], status === 'enabled')

const sayWaiting = ({ waiting, lag_seconds: lag }: DescribedStream, words: StreamsWords): string =>
  lag === null ? String(waiting) : `${waiting} (${words.seconds({ count: lag })})`

const sayTaken = ({ taken_at: at }: DescribedStream, view: View, words: StreamsWords): Content =>
  at === null ? words.never : sayWhen(at, view.at, view)

export const streamList: ListRow<DescribedStream, ListPage<DescribedStream>, StreamsWords> = {
  operation: listStreams,
  words: consoleStreamsWords,
  fields: ({ client }) => [{ name: 'client', label: client, kind: 'search' }],
  says: ({ view }, _page, words) => ({
    above: html`<p class="lead">${words.about}</p>
`,
    row: (one) => ({
      title: renderLink(view, 'streams', one.stream_id),
      says: html`${renderLink(view, 'clients', one.client_id)} · ${sayDelivery(one, words)} · ${words.waiting}: ${sayWaiting(one, words)} · ${words.taken}: ${sayTaken(one, view, words)}`,
      end: sayStatus(one, words),
    }),
  }),
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
  const { stream_id: id, client_id: client, created_at: at } = stream
  const button = renderButtonsOf(actions, given, getSubjectPath('streams', id), words)
  return renderSubject(given, {
    part: 'streams',
    heading: words.heading,
    title: id,
    name: html`<code>${id}</code>`,
    notice,
    left: renderFacts(
      null,
      html`${renderFact(words.client, renderLink(view, 'clients', client))}
${renderFact(words.delivery, sayDelivery(stream, words))}
${renderFact(words.status, sayStatus(stream, words))}
${renderFact(words.reason, stream.reason)}
${renderFact(words.description, stream.description)}
${renderFact(words.created, sayWhen(at, view.at, view))}
${renderFact(words.taken, sayTaken(stream, view, words))}
${renderFact(words.waiting, sayWaiting(stream, words))}`,
    ),
    right: role === 'operator' ? button('remove') : null,
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
