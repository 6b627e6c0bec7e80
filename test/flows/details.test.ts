/** Explanations for a developer on the own machine, and for nobody else. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ClientId } from '../../src/model/ids.ts'
import { trace } from '../store/moments.ts'
import { sampleClient } from '../store/sample.ts'
import { authorizePath, callback, codeRequest } from '../support/printing.ts'
import { start, startBefore } from '../support/start.ts'

const wrong = authorizePath({ ...codeRequest, redirect_uri: 'http://127.0.0.1:6750/callbak' })

const demo = startBefore()

test('in the demo the page shows what came, what is registered, and where they differ', async () => {
  const { status, text } = await demo.ask(wrong)
  assert.equal(status, 400)
  assert.match(text, /callba<mark>c<\/mark>k/)
  assert.match(text, /curl -sS -X PATCH .*\/admin\/api\/clients\/photo-printer/)
})

test('the port of a loopback address may differ, so it is not marked', async () => {
  const redirect_uri = 'http://127.0.0.1:4321/callbak'
  const { text } = await demo.ask(authorizePath({ ...codeRequest, redirect_uri }))
  assert.match(text, /<dd><code>http:\/\/127\.0\.0\.1:4321\/callba<mark>c<\/mark>k<\/code>/)
})

test('elsewhere it tells nothing of what is registered', async () => {
  const service = await start({ demo: false, issuer: 'http://127.0.0.1:6749' })
  const registered = sampleClient({ id: 'photo-printer' as ClientId, redirectUris: [callback] })
  await service.server().store.createClient(registered, trace())
  const { status, text } = await service.ask(wrong)
  await service.close()
  assert.equal(status, 400)
  assert.match(text, /redirect_uri is not registered for this client/)
  assert.ok(!text.includes('callba'))
})

test('A-10: a parameter of the client named like one of ours is ignored like any other', async () => {
  const answer = await demo.ask(`${authorizePath(codeRequest)}&journey=anything`)
  assert.equal(answer.status, 302)
  assert.match(answer.headers.get('location') ?? '', /^\/login\?journey=/)
})
