/** A CPU profile, summed by the layers that a request goes through. */

interface CallFrame {
  readonly functionName: string
  readonly url: string
}

interface ProfileNode {
  readonly id: number
  readonly callFrame: CallFrame
  readonly children?: readonly number[]
}

/** As V8 writes it. */
export interface Profile {
  readonly nodes: readonly ProfileNode[]
  readonly samples: readonly number[]
  readonly timeDeltas: readonly number[]
}

/** Reading and compiling our own files, which happens once. */
export const starting = 'starting'

/** The first that fits names the layer: by the file, or by the function where there is no file. */
const layers: readonly (readonly [string, RegExp])[] = [
  [
    starting,
    /amaro|typescript|modules\/(esm|cjs|run_main|package_json|helpers)|compileSource|bootstrap/i,
  ],
  ['garbage collection', /\(garbage collector\)/],
  ['log', /node:fs|writeString$|src\/events|src\/model\/notice/],
  ['kernel and runtime', /\(program\)|runMicrotasks|process\/task_queues|internal\/timers|epoll/],
  [
    'socket',
    /node:net|internal\/stream|js_stream|writeUtf8String|writeLatin1String|writev|writeBuffer|readStart|node:internal\/blocklist/,
  ],
  [
    'HTTP of Node',
    /_http_|internal\/http|parserOn|HTTPParser|node:events|node:buffer|abort_controller/,
  ],
  [
    'HTTP of Hono and fetch',
    /@hono|\/hono\/|undici|webidl|internal\/url|internal\/webstreams|src\/http\/(listen|exchange|address)|src\/router|src\/routes/,
  ],
  [
    'form and parameters',
    /src\/http\/(body|cookies)|src\/protocol\/|querystring|string_decoder|encoding/,
  ],
  ['random and ids', /crypto\/random|src\/model\/ids|systemRandom|randomFill|newId/],
  ['seal and digest', /internal\/crypto|src\/crypto|Hmac|Hash$|src\/tokens|timingSafeEqual/],
  ['store', /src\/store|node:sqlite|\/pg|StatementSync|worker|message/i],
  [
    'client and rules',
    /src\/(clients|access|grants|requests|owners|journey|resource|responses|config|model)/,
  ],
  [
    'answer',
    /src\/http\/answer|src\/endpoints|src\/admin|src\/pages|src\/parts|src\/clock|src\/server/,
  ],
]

const ownLayer = ({ url, functionName }: CallFrame): string | null =>
  layers.find(([, pattern]) => pattern.test(`${url} ${functionName}`))?.[0] ?? null

/** Seconds by layer. What is built in counts for whoever called it. */
export const secondsByLayer = (profile: Profile): ReadonlyMap<string, number> => {
  const frames = new Map(profile.nodes.map((node) => [node.id, node.callFrame]))
  const parents = new Map(
    profile.nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)),
  )
  const layerOf = (id: number | undefined): string => {
    const frame = id === undefined ? undefined : frames.get(id)
    if (frame === undefined) return 'other'
    return ownLayer(frame) ?? layerOf(id === undefined ? id : parents.get(id))
  }
  const sums = new Map<string, number>()
  for (const [i, id] of profile.samples.entries()) {
    if (frames.get(id)?.functionName === '(idle)') continue
    const layer = layerOf(id)
    sums.set(layer, (sums.get(layer) ?? 0) + (profile.timeDeltas[i] ?? 0) / 1e6)
  }
  return sums
}

/** Seconds by function, the most expensive first. */
export const secondsByFunction = (profile: Profile): readonly (readonly [string, number])[] => {
  const frames = new Map(profile.nodes.map((node) => [node.id, node.callFrame]))
  const sums = new Map<string, number>()
  for (const [i, id] of profile.samples.entries()) {
    const { url = '', functionName = '' } = frames.get(id) ?? {}
    if (functionName === '(idle)') continue
    if (ownLayer({ url, functionName }) === starting) continue
    const file = url.replace(/^.*\/(src|node_modules)\//, '$1/')
    const name = `${functionName === '' ? '(anonymous)' : functionName} ${file}`.trim()
    sums.set(name, (sums.get(name) ?? 0) + (profile.timeDeltas[i] ?? 0) / 1e6)
  }
  return [...sums].sort((a, b) => b[1] - a[1])
}
