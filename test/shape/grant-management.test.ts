/** The program of docs/grant-management.md, run against a service, with an owner at a browser. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Listening, listen } from '../support/listening.ts'
import { openBrowser } from '../support/roaming.ts'
import { type Examples, prepareExamples } from './examples.ts'

let service: Listening
let examples: Examples

before(async () => {
  service = await listen()
  examples = prepareExamples('docs/grant-management.md', service.issuer)
})
after(async () => {
  examples.close()
  await service.close()
})

describe('the program of docs/grant-management.md', () => {
  it('begins a grant, adds to it, sees it and gives it back', async () => {
    const example = await examples.start('openid-client.ts')
    const approve = async () => {
      const browser = openBrowser()
      await browser.approve(await browser.visit(await example.url()))
    }
    await approve()
    assert.equal(await example.line(), 'granted: photos:read')
    await approve()
    assert.deepEqual(await example.rest(), [
      'same grant: true',
      'now: contacts:read photos:read',
      'given back: 204',
    ])
  })
})
