/** The example of docs/trusted-issuers.md, run as a program against a service. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Listening, listen } from '../support/listening.ts'
import { type Examples, prepareExamples } from './examples.ts'

let service: Listening
let examples: Examples

before(async () => {
  service = await listen()
  examples = prepareExamples('docs/trusted-issuers.md', service.issuer)
})
after(async () => {
  examples.close()
  await service.close()
})

describe('the example of docs/trusted-issuers.md', () => {
  it('openid-client: a company opens access for alice', async () => {
    const example = await examples.start('openid-client.ts')
    assert.deepEqual(await example.rest(), [
      'trusted: Acme',
      'scope: photos:read, refresh token: none',
      'photos: 200',
    ])
  })
})
