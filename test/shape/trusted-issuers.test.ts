/** The examples of docs/trusted-issuers.md and docs/groups.md, run as programs against a service. */
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

describe('the example of docs/groups.md', () => {
  it('openid-client: a wiki reads the groups that it is told', async () => {
    // In the folder of the other example, which goes at the end.
    const { start } = prepareExamples('docs/groups.md', service.issuer)
    const example = await start('groups.ts')
    assert.deepEqual(await example.rest(), ['groups: ["wiki editors"]', 'role in the wiki: editor'])
  })
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
