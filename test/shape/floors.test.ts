/** The floors of the house: a file imports only from lower floors or from its own folder. */
import assert from 'node:assert/strict'
import { dirname, join } from 'node:path'
import { describe, it } from 'node:test'
import { importsOf, type Source, sourceOf, sources } from './source.ts'

/** The floors: folders of `src/`, and single files. */
const floors: readonly (readonly string[])[] = [
  // What everybody speaks: the records, the limits, and refusing.
  [
    'model',
    'config/limits.ts',
    'config/import-limits.ts',
    'config/settable-limits.ts',
    'protocol/refusal.ts',
  ],
  ['protocol', 'crypto', 'http', 'config', 'clock.ts'],
  ['store', 'resource', 'parts.ts'],
  [
    'clients',
    'clients/find.ts',
    'owners',
    'access',
    'requests',
    'tokens',
    'events',
    'housekeeping.ts',
  ],
  ['grants', 'responses', 'journey', 'pages', 'demo', 'upstreams', 'registries.ts'],
  ['endpoints', 'admin', 'playground', 'mail'],
  ['cli', 'cli.ts', 'languages.ts', 'server.ts', 'router.ts', 'routes.ts', 'embed.ts', 'index.ts'],
]

/** Ways sideways or up that are allowed, each with its reason. */
const ways: Readonly<Record<string, string>> = {
  'model -> config/limits.ts': 'what a record tells has a bound',
  'model -> protocol/refusal.ts': 'terms refuse a parameter that cannot be part of them',
  'http -> protocol': 'a request carries parameters',
  'parts.ts -> store': 'the parts name the store that is passed along',
  'requests -> clients/find.ts': 'an authorization request names a client',
  'access -> clients/find.ts': 'a resource names clients that introspect',
  'owners -> clients/find.ts': 'a subject may be the one of a client',
  'tokens -> clients/find.ts': 'a token of a client holds while the client is there',
  'clients -> access': 'a client is registered for permissions',
  'clients -> requests': 'a client registers redirect URIs',
  'requests -> access': 'an authorization request asks for permissions',
  'tokens -> owners': 'a token tells its owner by a subject',
  'tokens -> access': 'a token states permissions',
  'tokens -> requests': 'a code answers an authorization request, challenge and all',
  'registries.ts -> grants': 'it lists the grants',
  'registries.ts -> responses': 'it lists the response types',
  'registries.ts -> upstreams': 'endpoints get the upstreams of the service',
  'playground -> endpoints': 'its pages pass the same doors',
  'cli.ts -> cli': 'the program is made of its commands',
  'cli -> server.ts': 'a command starts the service or opens its store',
  'cli -> languages.ts': 'a command writes a language to begin with',
  'server.ts -> languages.ts': 'a service opens its languages',
  'server.ts -> router.ts': 'the server answers through the router',
  'server.ts -> routes.ts': 'the server serves the routes',
  'embed.ts -> server.ts': 'a program embeds what the server assembles',
  'embed.ts -> cli': 'an embedded service takes commands, too',
  'index.ts -> embed.ts': 'the package exports createServer',
}

/** The wing `resource/` goes to other people's APIs, so it leans on the ground floor alone. */
const wing = 'resource'

/** The place a file belongs to: the longest entry of the floors that it lies in. */
const placeOf = (path: string): { readonly name: string; readonly floor: number } | null => {
  const name = [path, path.split('/')[0] ?? ''].find((entry) =>
    floors.some((floor) => floor.includes(entry)),
  )
  return name === undefined ? null : { name, floor: floors.findIndex((f) => f.includes(name)) }
}

const faultOf = (from: string, to: string): string | null => {
  const here = placeOf(from)
  const there = placeOf(to)
  if (here === null) return `${from} stands on no floor`
  if (there === null) return `${from} imports ${to}, which stands on no floor`
  if (here.name === there.name || from.split('/')[0] === to.split('/')[0]) return null
  if (here.name === wing && there.floor > 1) return `${from} leaves the wing for ${to}`
  if (there.floor < here.floor || `${here.name} -> ${there.name}` in ways) return null
  return `${from} ${there.floor > here.floor ? 'climbs up' : 'goes sideways'} to ${to}`
}

const faultsOf = (files: readonly Source[]): readonly string[] =>
  files.flatMap((file) => [
    ...(placeOf(file.path) === null ? [`${file.path} stands on no floor`] : []),
    ...importsOf(file)
      .filter((target) => target.startsWith('.'))
      .map((target) => faultOf(file.path, join(dirname(file.path), target)))
      .filter((fault) => fault !== null),
  ])

/** Ways that are walked somewhere, so that the list above holds nothing stale. */
const walked = new Set(
  sources.flatMap((file) =>
    importsOf(file)
      .filter((target) => target.startsWith('.'))
      .map((target) => placeOf(join(dirname(file.path), target))?.name)
      .map((name) => `${placeOf(file.path)?.name} -> ${name}`),
  ),
)

describe('the floors', () => {
  it('are kept by every import', () => {
    assert.deepEqual(faultsOf(sources), [])
  })

  it('have no other way that nobody walks', () => {
    assert.deepEqual(
      Object.keys(ways).filter((way) => !walked.has(way)),
      [],
    )
  })

  it('would find what breaks them', () => {
    const planted = [
      sourceOf('tokens/issue.ts', "import type { Route } from '../endpoints/oauth/token.ts'"),
      sourceOf('tokens/late.ts', "const load = () => import('../grants/index.ts')"),
      sourceOf('clients/secret.ts', "export { login } from '../owners/login.ts'"),
      sourceOf('resource/guard.ts', "import '../store/store.ts'"),
      sourceOf('model/owner.ts', "import { hash } from '../crypto/digest.ts'"),
      sourceOf('extra/thing.ts', ''),
      sourceOf('tokens/fine.ts', "// import '../endpoints/token.ts'\nimport '../model/ids.ts'"),
    ]
    assert.deepEqual(faultsOf(planted), [
      'tokens/issue.ts climbs up to endpoints/oauth/token.ts',
      'tokens/late.ts climbs up to grants/index.ts',
      'clients/secret.ts goes sideways to owners/login.ts',
      'resource/guard.ts leaves the wing for store/store.ts',
      'model/owner.ts climbs up to crypto/digest.ts',
      'extra/thing.ts stands on no floor',
    ])
  })
})
