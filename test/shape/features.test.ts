/** A feature is one folder that goes in one gesture: the folder, and its lines in the lists beside it. */
import assert from 'node:assert/strict'
import { dirname, join } from 'node:path'
import { describe, it } from 'node:test'
import { importsOf, type Source, sourceOf, sources } from './source.ts'

const featureOf = (path: string): string | null => /^features\/([^/]+)\//.exec(path)?.[1] ?? null

/** What a feature gives to others by its name alone: steps of the store, and limits. */
const givenBy = (file: Source): readonly string[] => {
  if (/^features\/[^/]+\/contract\.ts$/.test(file.path)) {
    return [...file.code.matchAll(/^ {2}(\w+)\(/gm)].map(([, name = '']) => name)
  }
  if (/^features\/[^/]+\/settings\.ts$/.test(file.path)) {
    return [...file.code.matchAll(/^ {2}(\w+): \{$/gm)].map(([, name = '']) => name)
  }
  return []
}

/** The files that would miss a feature by a path. Lists lie beside its folder. */
const importersIn = (files: readonly Source[]): readonly string[] =>
  files.flatMap((file) =>
    importsOf(file)
      .filter((target) => target.startsWith('.'))
      .map((target) => join(dirname(file.path), target))
      .filter((target) => featureOf(target) !== null)
      .filter((target) => featureOf(target) !== featureOf(file.path))
      .filter(() => !/^features\/\w+\.ts$/.test(file.path))
      .map((target) => `${file.path} imports ${target}`),
  )

/** The files that would miss a step or a limit of a feature. */
const usersIn = (files: readonly Source[]): readonly string[] =>
  files.flatMap((giver) => {
    const feature = featureOf(giver.path)
    const others = files.filter(({ path }) => featureOf(path) !== feature)
    return givenBy(giver).flatMap((name) =>
      others
        .filter(({ code }) => new RegExp(`\\b${name}\\b`).test(code))
        .map(({ path }) => `${path} names ${name} of ${feature}`),
    )
  })

/** What a list takes from a feature. Each name stands once more, in a place from which it can go. */
const entangledIn = (files: readonly Source[]): readonly string[] =>
  files
    .filter(({ path }) => /^features\/\w+\.ts$/.test(path))
    .flatMap(({ path, spoken, code }) =>
      [...spoken.matchAll(/import (?:type )?\{([^}]*)\} from '\.\/[^']+\/[^']+'/g)]
        .flatMap(([, names = '']) => names.split(','))
        .map((name) => name.replace(/^\s*type\s/, '').trim())
        .filter((name) => name !== '')
        .filter((name) => {
          const listed = new RegExp(
            `([[{,]\\s*(\\.\\.\\.)?|& )${name}\\b(?=\\s*(,|\\]|\\}|&|$))`,
            'gm',
          )
          const all = new RegExp(`\\b${name}\\b`, 'g')
          const used = code.replace(/^import [^\n]*$/gm, '')
          return [...used.matchAll(listed)].length !== 1 || [...used.matchAll(all)].length !== 1
        })
        .map((name) => `${path} does more with ${name} than list it`),
    )

const faultsOf = (files: readonly Source[]): readonly string[] => [
  ...importersIn(files),
  ...usersIn(files),
  ...entangledIn(files),
]

describe('a feature', () => {
  it('is named outside its folder by the lists alone', () => {
    assert.deepEqual(faultsOf(sources), [])
  })

  it('would be found elsewhere', () => {
    const planted = [
      sourceOf('features/fax/contract.ts', 'export interface FaxSteps {\n  sendFax(\n}'),
      sourceOf('features/fax/settings.ts', 'export const faxLimits = {\n  faxPages: {\n  },\n}'),
      sourceOf('features/fax/record.ts', "import './contract.ts'\nconst steps = { sendFax }"),
      sourceOf(
        'features/contract.ts',
        "import type { FaxSteps } from './fax/contract.ts'\nexport type FeatureSteps = object & FaxSteps",
      ),
      sourceOf(
        'features/grants.ts',
        "import { fax } from './fax/grant.ts'\nexport const featureGrants = [fax]",
      ),
      sourceOf(
        'features/limits.ts',
        "import { faxLimits } from './fax/settings.ts'\nexport const featureLimits = { ...faxLimits } as const",
      ),
      sourceOf(
        'features/rules.ts',
        "import { faxRules } from './fax/rules.ts'\nexport const all = faxRules.map(String)",
      ),
      sourceOf('rooms/post.ts', "import { fax } from '../features/fax/grant.ts'\nstore.sendFax()"),
      sourceOf('mail/paper.ts', 'limits.faxPages > 3'),
    ]
    assert.deepEqual(faultsOf(planted), [
      'rooms/post.ts imports features/fax/grant.ts',
      'rooms/post.ts names sendFax of fax',
      'mail/paper.ts names faxPages of fax',
      'features/rules.ts does more with faxRules than list it',
    ])
  })
})
