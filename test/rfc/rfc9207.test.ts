/** RFC 9207: every authorization response says who it is from. */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { askFor, enter, sentTo } from '../support/authorization.ts'
import type { Browser } from '../support/browser.ts'
import { galleryCallback } from '../support/gallery.ts'
import { callback, codeRequest, walk } from '../support/printing.ts'
import { start, startBefore } from '../support/start.ts'
import type { Changes } from '../support/tokens.ts'

const issuers = [
  'http://127.0.0.1:6749',
  'http://localhost:6749/tenants/one',
  'https://as.example',
  'https://as.example/oauth2',
]

for (const issuer of issuers) {
  describe(`A-15: ${issuer}`, () => {
    const service = startBefore(() => start({ issuer, demo: true }))
    let browser: Browser
    before(async () => {
      browser = await enter(service)
    })

    /** The issuer in the metadata, as text: clients compare it. */
    const published = async (): Promise<string> => {
      const { origin, pathname } = new URL(issuer)
      const path = `/.well-known/oauth-authorization-server${pathname.replace(/\/$/, '')}`
      const { body } = await service.ask(origin + path)
      assert.equal(body.authorization_response_iss_parameter_supported, true)
      return body.issuer
    }

    test('section 3: it is the one in the metadata', async () => {
      assert.equal(await published(), issuer)
    })

    test('section 2: with a code', async () => {
      const page = await walk(service, codeRequest, {}, browser)
      const { code, ...rest } = sentTo(page, `${callback}?`)
      assert.match(code ?? '', /^lk_ac_/)
      assert.deepEqual(rest, { state: 'xyz', iss: await published() })
    })

    test('section 2: with a token', async () => {
      const request = { response_type: 'token', client_id: 'gallery', state: 'xyz' }
      const page = await walk(service, request, {}, browser)
      assert.equal(sentTo(page, `${galleryCallback}#`).iss, await published())
    })

    const errors: Readonly<Record<string, Changes>> = {
      unsupported_response_type: { response_type: 'foo' },
      invalid_request: { code_challenge: 'x' },
      invalid_scope: { scope: 'attic' },
      login_required: { prompt: 'none' },
    }
    for (const [error, changes] of Object.entries(errors)) {
      test(`section 2.1: with ${error}`, async () => {
        const answer = sentTo(await askFor(service, changes), `${callback}?`)
        assert.deepEqual([answer.error, answer.iss], [error, await published()])
      })
    }

    test('section 2.1: with access_denied', async () => {
      const asked = { ...codeRequest, prompt: 'consent' }
      const answer = sentTo(
        await walk(service, asked, { decision: 'deny' }, browser),
        `${callback}?`,
      )
      assert.equal(answer.error, 'access_denied')
    })

    test('nobody but us says who we are', async () => {
      for (const iss of ['https://evil.example', 'x']) {
        const page = await askFor(service, { iss, response_type: 'foo' })
        assert.equal(sentTo(page, `${callback}?`).iss, await published())
      }
    })
  })
}
