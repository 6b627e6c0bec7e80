/** Streams of signals, as operators see and end them. What a stream sends along is never shown. */
import type { Exchange } from '../../http/exchange.ts'
import { timeOfId } from '../../model/ids.ts'
import type { Resource } from '../../model/resource.ts'
import { client, describePage, pageInMemory } from '../../operations/lists.ts'
import {
  allowNull,
  defineRow,
  makeForm,
  mapAnswer,
  pageOf,
  seconds,
  text,
  whole,
} from '../../operations/operation.ts'
import { type AdminNeeds, unknown } from '../../operations/operator.ts'
import { yes } from '../../operations/surface/cli.ts'
import type { Store } from '../../store/store.ts'
import type { SignalStream } from './contract.ts'
import { signalLimits } from './limits.ts'
import { findApi, findWaiting } from './select.ts'

/** A stream, with what waits for its receiver. */
export interface StreamState {
  readonly stream: SignalStream
  /** At most as many as one search finds. */
  readonly waiting: number
  /** How long the oldest has been waiting, in seconds; null where none waits. */
  readonly lag: number | null
}

/** @param now unix milliseconds */
export const findStreamState = async (
  stream: SignalStream,
  resources: readonly Resource[],
  now: number,
  store: Store,
): Promise<StreamState> => {
  const { signals } = await findWaiting(
    stream,
    findApi(stream, resources),
    signalLimits.sets,
    store,
  )
  const [oldest] = signals
  const lag = oldest === undefined ? null : Math.max(0, now - timeOfId(oldest.id)) / 1000
  return { stream, waiting: signals.length, lag: lag && Math.floor(lag) }
}

const answer = mapAnswer<StreamState>({
  stream_id: [text, ({ stream }) => stream.id],
  client_id: [text, ({ stream }) => stream.clientId],
  delivery: [
    (z) => z.enum(['poll', 'push']),
    ({ stream: { endpointUrl } }) => (endpointUrl === '' ? 'poll' : 'push'),
  ],
  endpoint_host: [
    allowNull(text),
    ({ stream: { endpointUrl } }) => (endpointUrl === '' ? null : new URL(endpointUrl).host),
  ],
  status: [(z) => z.enum(['enabled', 'paused', 'disabled']), ({ stream }) => stream.status],
  reason: [text, ({ stream }) => stream.reason],
  description: [text, ({ stream }) => stream.description],
  created_at: [seconds, ({ stream }) => stream.createdAt],
  taken_at: [
    allowNull((z) => z.int().describe('when the receiver last took a set: unix seconds')),
    ({ stream }) => stream.takenAt,
  ],
  waiting: [
    (z) => z.int().describe(`sets that wait; ${signalLimits.sets} stands for more as well`),
    'waiting',
  ],
  lag_seconds: [
    allowNull((z) => whole(z).describe('how long the oldest has been waiting; null: none waits')),
    'lag',
  ],
})

export type DescribedStream = {
  readonly [Name in
    | 'stream_id'
    | 'client_id'
    | 'delivery'
    | 'status'
    | 'reason'
    | 'description']: string
} & {
  readonly endpoint_host: string | null
  readonly created_at: number
  readonly taken_at: number | null
  readonly waiting: number
  readonly lag_seconds: number | null
}

export const describeStreamState = (state: StreamState): DescribedStream =>
  answer.describe(state) as unknown as DescribedStream

const streamForm = makeForm('Stream', (z) => z.strictObject(answer.shape(z)))

/** @throws Refusal `not_found` */
const findStream = async (
  { params }: Pick<Exchange, 'params'>,
  { store, clock }: AdminNeeds,
): Promise<StreamState> => {
  const stream = await store.findSignalStream(params.stream_id ?? '')
  if (stream === null) throw unknown('stream')
  return findStreamState(stream, await store.listResources(), clock(), store)
}

const oneStream = '/admin/api/streams/:stream_id'

export const listStreams = defineRow({
  route: 'GET /admin/api/streams',
  says: 'List the streams of signals',
  commands: {
    usage: 'stream list',
    does: 'list the streams of signals, and what waits in them',
    examples: ['latchkey stream list', 'latchkey stream list --client nightly-report'],
    list: {
      head: [
        'stream_id',
        'client_id',
        'delivery',
        'endpoint_host',
        'status',
        'taken_at',
        'waiting',
      ],
      empty: 'There are no streams.',
    },
  },
  filters: { client },
  answers: { 200: pageOf('StreamPage', streamForm.make) },
  async run({ query, limit, filters }, { store, clock }) {
    const all = await store.listSignalStreams(filters.client ?? null)
    const { rows, next } = pageInMemory(all, query, limit, ({ id }) => id)
    const resources = await store.listResources()
    const states = await Promise.all(
      rows.map((stream) => findStreamState(stream, resources, clock(), store)),
    )
    return describePage({ rows: states, next }, describeStreamState)
  },
})

export const readStream = defineRow({
  route: `GET ${oneStream}`,
  says: 'Read a stream of signals',
  commands: {
    usage: 'stream show <id>',
    does: 'show a stream of signals',
    examples: ['latchkey stream show 01m7abc2d3e4f5g6h7j8k9m0n1'],
  },
  answers: { 200: streamForm },
  find: findStream,
  run: async ({ on }) => describeStreamState(on),
})

/** Its receiver gets 404 from then on, and may open another one. */
export const removeStream = defineRow({
  route: `DELETE ${oneStream}`,
  says: 'End a stream of signals',
  commands: {
    usage: 'stream remove <id>',
    does: 'end a stream: its API hears nothing more by it',
    examples: ['latchkey stream remove 01m7abc2d3e4f5g6h7j8k9m0n1 --yes'],
    flags: [yes],
    confirm: ({ name }) => `The API hears nothing more by the stream ${name}.`,
    json: ({ name }) => ({ removed: name }),
    text: ({ name }) => `The stream ${name} has ended.`,
  },
  answers: { 204: null },
  find: findStream,
  async run({ on: { stream }, trace }, { store }) {
    if (!(await store.deleteSignalStream(stream, trace()))) throw unknown('stream')
    return null
  },
})

export const streamOperations = { listStreams, readStream, removeStream }
