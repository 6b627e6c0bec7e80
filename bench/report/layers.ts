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
  ['log and counters', /src\/events|src\/model\/notice|node:fs|writeString$/],
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
    'bridge, router and door',
    /src\/http\/(listen|request|exchange|address)|src\/(router|routes)|src\/endpoints\/door|\/hono\/.*router/,
  ],
  [
    'form and parameters',
    /src\/http\/(body|cookies)|src\/protocol\/|querystring|string_decoder|encoding/,
  ],
  ['client lookup', /src\/clients|src\/store\/memory\/clients/],
  ['random and ids', /systemRandom|randomFill|src\/model\/ids/],
  ['digest and seal', /src\/crypto|internal\/crypto|src\/tokens\/(seals|keys)|Hmac|Hash$/],
  ['store, main thread', /src\/store|node:sqlite|\/pg|StatementSync|worker|message/i],
  ['serialise', /src\/http\/answer/],
  ['rules and endpoint', /src\//],
]

const otherLayer = 'other'

/** What the other threads of a process do, by the names that they have; those of V8 collect and compile. */
const threads: readonly (readonly [string, RegExp])[] = [
  ['writer thread', /^Worker/],
  ['pool threads (log)', /^libuv/],
  ['threads of V8', /./],
]

/** The names, roughly in the order of a request's way. */
export const layerNames: readonly string[] = [
  'socket',
  'HTTP of Node',
  'bridge, router and door',
  'form and parameters',
  'client lookup',
  'rules and endpoint',
  'digest and seal',
  'random and ids',
  'store, main thread',
  'writer thread',
  'serialise',
  'log and counters',
  'pool threads (log)',
  'garbage collection',
  'threads of V8',
  'kernel and runtime',
  otherLayer,
]

export const layerOfThread = (thread: string): string =>
  threads.find(([, pattern]) => pattern.test(thread))?.[0] ?? otherLayer

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
    if (frame === undefined) return otherLayer
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
