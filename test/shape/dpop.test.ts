/** The programs of docs/dpop.md, each run against a service without nonces, and one that needs them. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { type Listening, listen } from '../support/listening.ts'
import { openBrowser } from '../support/roaming.ts'
import { blocksOf } from './blocks.ts'
import { type Examples, prepareExamples } from './examples.ts'
import { root } from './source.ts'

const page = 'docs/dpop.md'
let service: Listening
let strict: Listening
let examples: Examples

before(async () => {
  service = await listen()
  strict = await listen({ LATCHKEY_DPOP_NONCE: 'required' })
  examples = prepareExamples(page, service.issuer)
})
after(async () => {
  examples.close()
  await service.close()
  await strict.close()
})

/** What a program says once alice has allowed it. */
const run = async (name: string, issuer: string): Promise<readonly string[]> => {
  const browser = openBrowser()
  const example = await examples.start(name, { ISSUER: issuer })
  await browser.approve(await browser.visit(await example.url()))
  return example.rest()
}

const said = {
  'openid-client.ts': ['type: dpop', 'photos: 200', 'without the key: 401', 'owner: Alice Liddell'],
  'oauth4webapi.ts': ['type: dpop', 'photos: 200', 'again: dpop'],
}

describe(`a program of ${page}`, () => {
  for (const [name, lines] of Object.entries(said)) {
    it(`${name} binds its tokens`, async () => {
      assert.deepEqual(await run(name, service.issuer), lines)
    })
    it(`${name} learns the nonce where each proof needs one`, async () => {
      assert.deepEqual(await run(name, strict.issuer), lines)
    })
  }

  it('is each one that the page shows', () => {
    const shown = blocksOf(page, readFileSync(join(root, page), 'utf8')).map(({ name }) => name)
    assert.deepEqual(shown, Object.keys(said))
  })
})
