/** The examples of docs/client-keys.md, each run as a program against a service. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Listening, listen } from '../support/listening.ts'
import { type Examples, prepareExamples } from './examples.ts'

let service: Listening
let examples: Examples

before(async () => {
  service = await listen()
  examples = prepareExamples('docs/client-keys.md', service.issuer)
})
after(async () => {
  examples.close()
  await service.close()
})

describe('an example of docs/client-keys.md', () => {
  it('openid-client: private_key_jwt', async () => {
    const example = await examples.start('openid-client.ts')
    assert.deepEqual(await example.rest(), ['active: true', 'revoked'])
  })

  it('oauth4webapi: client_secret_jwt', async () => {
    const example = await examples.start('oauth4webapi.ts')
    assert.deepEqual(await example.rest(), ['photos: 200'])
  })
})
