/** The floors of the house: a file imports only from lower floors or from its own folder. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, it } from 'node:test'
import { importsOf, root, type Source, sourceOf, sources } from './source.ts'

/** The floors of `src/`, from below: folders and single files. Places of one floor do not import each other. */
const floors: readonly (readonly string[])[] = [
  ['model'],
  ['config'],
  ['protocol'],
  ['crypto'],
  ['http', 'clock.ts'],
  ['store'],
  ['resource'],
  ['access', 'events'],
  ['requests'],
  ['clients'],
  ['owners'],
  ['tokens', 'upstreams'],
  ['grants', 'responses', 'journey', 'paper'],
  ['registries.ts'],
  ['route.ts'],
  ['demo'],
  ['operations'],
  ['rooms', 'mail', 'housekeeping.ts'],
  ['router.ts', 'routes.ts'],
  ['languages.ts'],
  ['server.ts'],
  ['cli'],
  ['embed.ts', 'cli.ts'],
  ['index.ts'],
]

/** Ways up that are allowed, at most five, each with its reason. */
const ways: Readonly<Record<string, string>> = {
  'requests -> clients': 'an authorization request names a client',
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

/** The playground stands beside `src/`. The demo loads it, and nothing else names it. */
const demo = ['server.ts', 'routes.ts']

const faultOf = (from: string, to: string): string | null => {
  if (to.startsWith('../playground/') && demo.includes(from)) return null
  const here = placeOf(from)
  const there = placeOf(to)
  if (here === null) return `${from} stands on no floor`
  if (there === null) return `${from} imports ${to}, which stands on no floor`
  if (here.name === there.name || from.split('/')[0] === to.split('/')[0]) return null
  if (here.name === wing && there.floor > floors.findIndex((floor) => floor.includes('http')))
    return `${from} leaves the wing for ${to}`
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

  it('are those of docs/architecture.md, from above', () => {
    const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8')
    const rows = [...page.matchAll(/^\| \d+ \| ([^|]+) \|/gm)]
    const told = rows.map(([, places = '']) =>
      [...places.matchAll(/`([^`]+)`/g)].map(([, place]) => place),
    )
    assert.deepEqual(told, floors.toReversed())
  })

  it('have few exceptions', () => {
    assert.ok(Object.keys(ways).length <= 5)
  })

  it('would find what breaks them', () => {
    const planted = [
      sourceOf('tokens/issue.ts', "import type { Route } from '../rooms/oauth/token.ts'"),
      sourceOf('tokens/late.ts', "const load = () => import('../grants/index.ts')"),
      sourceOf('upstreams/secret.ts', "export { mint } from '../tokens/mint.ts'"),
      sourceOf('resource/guard.ts', "import '../store/store.ts'"),
      sourceOf('model/owner.ts', "import { hash } from '../crypto/digest.ts'"),
      sourceOf('operations/owners.ts', "import { page } from '../rooms/account/pages.ts'"),
      sourceOf('extra/thing.ts', ''),
      sourceOf('rooms/play.ts', "import { play } from '../../playground/playground.ts'"),
      sourceOf('tokens/fine.ts', "// import '../rooms/token.ts'\nimport '../model/ids.ts'"),
    ]
    assert.deepEqual(faultsOf(planted), [
      'tokens/issue.ts climbs up to rooms/oauth/token.ts',
      'tokens/late.ts climbs up to grants/index.ts',
      'upstreams/secret.ts goes sideways to tokens/mint.ts',
      'resource/guard.ts leaves the wing for store/store.ts',
      'model/owner.ts climbs up to crypto/digest.ts',
      'operations/owners.ts climbs up to rooms/account/pages.ts',
      'extra/thing.ts stands on no floor',
      'rooms/play.ts imports ../playground/playground.ts, which stands on no floor',
    ])
  })
})
