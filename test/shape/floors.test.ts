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
  ['features'],
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

/** The lists of the features, each with the place on whose floor it stands (decision 102). */
const lists: Readonly<Record<string, string>> = {
  'features/settings.ts': 'config',
  'features/apis.ts': 'model',
  'features/client.ts': 'model',
  'features/limits.ts': 'config',
  'features/kinds.ts': 'protocol',
  'features/rules.ts': 'protocol',
  'features/contract.ts': 'store',
  'features/owned.ts': 'store',
  'features/records.ts': 'store',
  'features/members.ts': 'clients',
  'features/lags.ts': 'events',
  'features/missing.ts': 'events',
  'features/endings.ts': 'store',
  'features/wrapped.ts': 'tokens',
  'features/waiting.ts': 'mail',
  'features/grants.ts': 'grants',
  'features/demo.ts': 'demo',
  'features/operations.ts': 'operations',
  'features/account.ts': 'rooms',
  'features/index.ts': 'features',
  'features/senders.ts': 'features',
}

interface Place {
  readonly name: string
  readonly floor: number
}

const placeNamed = (name: string): Place => ({
  name,
  floor: floors.findIndex((floor) => floor.includes(name)),
})

const targetsOf = (file: Source): readonly string[] =>
  importsOf(file)
    .filter((target) => target.startsWith('.'))
    .map((target) => join(dirname(file.path), target))

/** The files of each feature stand on the lowest floor from which they are reached. */
const placeFeatures = (files: readonly Source[]): ReadonlyMap<string, Place> => {
  const places = new Map<string, Place>()
  const reach = (path: string, place: Place): void => {
    const known = places.get(path)
    if (!path.startsWith('features/') || (known && known.floor <= place.floor)) return
    places.set(path, place)
    const file = files.find((one) => one.path === path)
    for (const target of file === undefined ? [] : targetsOf(file)) reach(target, place)
  }
  for (const [path, name] of Object.entries(lists)) reach(path, placeNamed(name))
  return places
}

type PlaceOf = (path: string) => Place | null

/** The place a file belongs to: the longest entry of the floors that it lies in. */
const findPlaces = (files: readonly Source[]): PlaceOf => {
  const ofFeatures = placeFeatures(files)
  return (path) => {
    if (path.startsWith('features/')) return ofFeatures.get(path) ?? null
    const name = [path, path.split('/')[0] ?? ''].find((entry) =>
      floors.some((floor) => floor.includes(entry)),
    )
    return name === undefined ? null : placeNamed(name)
  }
}

/** The folder of a feature that a file lies in; null for every other file. */
const featureOf = (path: string): string | null => /^features\/([^/]+)\//.exec(path)?.[1] ?? null

/** The playground stands beside `src/`. The demo loads it, and nothing else names it. */
const demo = ['server.ts', 'routes.ts']

const faultOf = (from: string, to: string, placeOf: PlaceOf): string | null => {
  if (to.startsWith('../playground/') && demo.includes(from)) return null
  const feature = featureOf(to)
  if (feature !== null && feature !== featureOf(from) && !(from in lists))
    return `${from} enters the feature ${feature}`
  const here = placeOf(from)
  const there = placeOf(to)
  if (here === null) return `${from} stands on no floor`
  if (there === null) return `${from} imports ${to}, which stands on no floor`
  const [folder] = from.split('/')
  if (here.name === there.name || (folder !== 'features' && to.startsWith(`${folder}/`)))
    return null
  if (here.name === wing && there.floor > floors.findIndex((floor) => floor.includes('http')))
    return `${from} leaves the wing for ${to}`
  if (there.floor < here.floor || `${here.name} -> ${there.name}` in ways) return null
  return `${from} ${there.floor > here.floor ? 'climbs up' : 'goes sideways'} to ${to}`
}

const faultsOf = (files: readonly Source[]): readonly string[] => {
  const placeOf = findPlaces(files)
  return files.flatMap((file) => [
    ...(placeOf(file.path) === null ? [`${file.path} stands on no floor`] : []),
    ...targetsOf(file)
      .map((target) => faultOf(file.path, target, placeOf))
      .filter((fault) => fault !== null),
  ])
}

const placeOfSource = findPlaces(sources)

/** Ways that are walked somewhere, so that the list above holds nothing stale. */
const walked = new Set(
  sources.flatMap((file) =>
    targetsOf(file)
      .map((target) => placeOfSource(target)?.name)
      .map((name) => `${placeOfSource(file.path)?.name} -> ${name}`),
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

  // A command would take twice as long to begin.
  it('let a command begin without pages and endpoints', () => {
    const loads =
      /^import (?!type )(?:\{[^}]*\} from )?'(?:\.\.\/)+(?:server|languages|router|routes)\.ts'/m
    const loading = sources.filter(({ path, text }) => path.startsWith('cli/') && loads.test(text))
    assert.deepEqual(
      loading.map(({ path }) => path),
      [],
    )
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
      sourceOf('features/grants.ts', "import './fax/grant.ts'\nimport './pigeon/grant.ts'"),
      sourceOf('features/index.ts', "import './fax/index.ts'"),
      sourceOf('features/fax/grant.ts', "import '../../rooms/pages.ts'\nimport './number.ts'"),
      sourceOf('features/fax/index.ts', "import '../../rooms/pages.ts'\nimport './number.ts'"),
      sourceOf('features/fax/number.ts', "import '../../demo/people.ts'\nimport '../records.ts'"),
      sourceOf('features/fax/unused.ts', ''),
      sourceOf('features/pigeon/grant.ts', "import '../fax/number.ts'"),
      sourceOf(
        'store/own.ts',
        "import '../features/records.ts'\nimport '../features/fax/grant.ts'",
      ),
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
      'features/fax/grant.ts climbs up to rooms/pages.ts',
      'features/fax/number.ts climbs up to demo/people.ts',
      'features/fax/unused.ts stands on no floor',
      'features/pigeon/grant.ts enters the feature fax',
      'store/own.ts enters the feature fax',
    ])
  })
})
