/** The walks of docs/architecture.md name files and functions of the source. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { root, type Source, sources } from './source.ts'

const declares = ({ code }: Source, name: string): boolean =>
  new RegExp(`(\\bconst|\\bfunction\\*?) ${name}\\b|^ +(async )?${name}\\(`, 'm').test(code)

/** Each file of a walk, with the functions named directly behind it. */
const stepsOf = (text: string): readonly (readonly [string, readonly string[]])[] =>
  [...text.matchAll(/`([\w/-]+\.ts)`((?:(?:,| and)? `\w+`)+)/g)].map(
    ([, path = '', names = '']) => [
      path,
      [...names.matchAll(/`(\w+)`/g)].map(([, name = '']) => name),
    ],
  )

const faultsOf = (text: string): readonly string[] =>
  stepsOf(text).flatMap(([path, names]) => {
    const source = sources.find((one) => one.path === path)
    if (source === undefined) return [`there is no ${path}`]
    return names.filter((name) => !declares(source, name)).map((name) => `${path} has no ${name}`)
  })

describe('the walks of the architecture', () => {
  const text = readFileSync(join(root, 'docs/architecture.md'), 'utf8')
  const walks = text.slice(text.indexOf('## Walk of'), text.indexOf('## Pages'))

  it('name files and functions of the source', () => {
    assert.ok(stepsOf(walks).length > 15)
    assert.deepEqual(faultsOf(walks), [])
  })

  it('would be found wrong', () => {
    const planted = '1. `router.ts` `createRoutes`, `createRouter`\n2. `rooter.ts` `createRouter`'
    assert.deepEqual(faultsOf(planted), ['router.ts has no createRoutes', 'there is no rooter.ts'])
  })
})
