/** The examples of docs/pushed-requests.md, each run as a program against a service, with an owner at a browser. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Listening, listen } from '../support/listening.ts'
import { openBrowser } from '../support/roaming.ts'
import { type Examples, prepareExamples } from './examples.ts'

let service: Listening
let examples: Examples

before(async () => {
  service = await listen()
  examples = prepareExamples('docs/pushed-requests.md', service.issuer)
})
after(async () => {
  examples.close()
  await service.close()
})

describe('an example of docs/pushed-requests.md', () => {
  it('openid-client: a confidential client pushes, and takes a signed answer', async () => {
    const browser = openBrowser()
    const example = await examples.start('openid-client.ts')
    assert.equal(await example.line(), 'request_uri and client_id')
    const last = await browser.approve(await browser.visit(await example.url()))
    assert.deepEqual([...new URL(last.url).searchParams.keys()], ['response'])
    assert.deepEqual(await example.rest(), ['photos: 200'])
  })

  it('oauth4webapi: a public client does the same', async () => {
    const browser = openBrowser()
    const example = await examples.start('oauth4webapi.ts')
    const last = await browser.approve(await browser.visit(await example.url()))
    assert.deepEqual([...new URL(last.url).searchParams.keys()], ['response'])
    assert.deepEqual(await example.rest(), ['scope: photos:read profile'])
  })
})
