/** The examples of docs/device.md, each run as a program against a service, with an owner at a browser. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Listening, listen } from '../support/listening.ts'
import { openBrowser } from '../support/roaming.ts'
import { type Examples, prepareExamples } from './examples.ts'

let service: Listening
let examples: Examples

before(async () => {
  service = await listen({ LATCHKEY_LIMIT_DEVICE_INTERVAL_SECONDS: '1' })
  examples = prepareExamples('docs/device.md', service.issuer)
})
after(async () => {
  examples.close()
  await service.close()
})

describe('an example of docs/device.md', () => {
  const outcomes = {
    'openid-client.ts': ['photos: 200'],
    'oauth4webapi.ts': ['scope: photos:read'],
  }
  for (const [name, said] of Object.entries(outcomes)) {
    it(`${name}: a device waits for its owner`, async () => {
      const browser = openBrowser()
      const example = await examples.start(name)
      const user_code = (await example.line()).replace('code ', '')
      const entry = await browser.visit(await example.url())
      const login = await browser.submit(entry, { user_code })
      const asking = await browser.submit(login, { username: 'alice', password: 'wonderland' })
      const consent = await browser.submit(asking, { decision: 'continue' })
      const end = await browser.submit(consent, { decision: 'allow' })
      assert.match(end.text, /Your device goes on/)
      assert.deepEqual(await example.rest(), said)
    })
  }
})
