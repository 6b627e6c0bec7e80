/** The example of docs/backchannel.md, run as a program against a service, with an owner at a browser. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { formsOf } from '../support/browser.ts'
import { type Listening, listen } from '../support/listening.ts'
import { openBrowser } from '../support/roaming.ts'
import { type Examples, prepareExamples } from './examples.ts'

let service: Listening
let examples: Examples

before(async () => {
  service = await listen({ LATCHKEY_LIMIT_DEVICE_INTERVAL_SECONDS: '1' })
  examples = prepareExamples('docs/backchannel.md', service.issuer)
})
after(async () => {
  examples.close()
  await service.close()
})

describe('an example of docs/backchannel.md', () => {
  it('openid-client.ts: a till waits for its customer', async () => {
    const browser = openBrowser()
    const example = await examples.start('openid-client.ts')
    const login = await browser.visit(await example.url())
    const page = await browser.submit(login, { username: 'alice', password: 'wonderland' })
    assert.match(page.text, /Till 7: W4SCT/)
    const form = formsOf(page.text).find(({ fields }) => fields.request !== undefined)
    assert.ok(form)
    const decided = { ...form.fields, decision: 'allow' }
    const end = await browser.visit(`${service.issuer}/account/requests`, decided)
    assert.match(end.text, /You allowed the request of/)
    assert.deepEqual(await example.rest(), ['photos: 200'])
  })
})
