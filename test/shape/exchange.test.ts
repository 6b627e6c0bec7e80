/** The programs of docs/token-exchange.md, each run against a service, with a token that alice approved. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { operatorOf } from '../flows/operator.ts'
import { accessTokenType, letAct } from '../support/exchange.ts'
import { type Listening, listen } from '../support/listening.ts'
import { obtainTokens } from '../support/printing.ts'
import { reach } from '../support/reach.ts'
import { blocksOf } from './blocks.ts'
import { type Examples, prepareExamples } from './examples.ts'
import { root } from './source.ts'

const page = 'docs/token-exchange.md'
let service: Listening
let examples: Examples
let subjectToken: string

before(async () => {
  service = await listen()
  examples = prepareExamples(page, service.issuer)
  const reached = reach(service.issuer)
  await letAct(await operatorOf(reached), 'photo-printer', ['helper'])
  subjectToken = (await obtainTokens(reached)).access_token
})
after(async () => {
  examples.close()
  await service.close()
})

const said = {
  'openid-client.ts': ['scope: photos:read', 'photos: 200'],
  'oauth4webapi.ts': ['scope: photos:read', `issued: ${accessTokenType}`],
}

describe(`a program of ${page}`, () => {
  for (const [name, lines] of Object.entries(said)) {
    it(`${name} exchanges the token of another client`, async () => {
      const example = await examples.start(name, { SUBJECT_TOKEN: subjectToken })
      assert.deepEqual(await example.rest(), lines)
    })
  }

  it('is each one that the page shows', () => {
    const blocks = blocksOf(page, readFileSync(join(root, page), 'utf8'))
    const programs = blocks.filter(({ language }) => language === 'ts')
    assert.deepEqual(
      programs.map(({ name }) => name),
      Object.keys(said),
    )
  })
})
