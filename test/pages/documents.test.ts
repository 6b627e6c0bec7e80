/** Consent for a client that is a metadata document, in a real browser: first seen, and changed. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { type DocumentSite, openDocumentSite } from '../support/document-site.ts'
import { findChromium, noChromium } from './chromium.ts'
import { type Demo, follow, logIn, nameOf, openDemo, ways } from './demo.ts'
import { assertClear, assertFits } from './look.ts'

const chromium = findChromium()

describe('a metadata document in a browser', { skip: noChromium(chromium) }, () => {
  let demo: Demo
  let host: DocumentSite
  let ahead = 0

  before(async () => {
    host = await openDocumentSite()
    demo = await openDemo(chromium ?? '', {}, { clock: () => Date.now() + ahead })
  })
  after(async () => {
    await demo.close()
    await host.site.close()
  })

  const serve = (path: string, change: object = {}): string =>
    host.serve(path, {
      redirect_uris: [`${demo.issuer}/callback`, 'https://helper.example/'],
      ...change,
    })

  const ask = (page: Page, clientId: string) =>
    page.goto(
      `${demo.issuer}/authorize?${new URLSearchParams({
        response_type: 'code',
        client_id: clientId,
        redirect_uri: `${demo.issuer}/callback`,
        scope: 'photos:read',
        code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
        code_challenge_method: 'S256',
      })}`,
    )

  const allow = async (page: Page): Promise<void> => {
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.waitForURL(/\/callback\?code=lk_ac_/)
  }

  for (const [at, way] of ways.entries()) {
    test(`${nameOf(way)}: first seen, approved, and asked anew with the change`, () =>
      demo.walk('document', way, async (page, look) => {
        const place = `/helper-${at}.json`
        const id = serve(place)
        await ask(page, id)
        await logIn(page, await demo.newPerson())
        await page.getByText('Nobody has checked this application.').waitFor()
        await page.getByText(`127.0.0.1:${host.site.port}`).first().waitFor()
        assert.equal(await page.getByText('has changed since you allowed').count(), 0)
        await assertFits(page)
        if (way.javaScriptEnabled) await assertClear(page)
        await look(page, 'first-seen')
        await allow(page)

        serve(place, { client_name: 'Better Helper' })
        ahead += 600_000
        await ask(page, id)
        const notice = page.locator('.notice.warning', {
          hasText: 'has changed since you allowed',
        })
        const said = await notice.innerText()
        for (const name of ['Helper', 'Better Helper']) assert.ok(said.includes(name), said)
        await assertFits(page)
        if (way.javaScriptEnabled) await assertClear(page)
        await look(page, 'changed')
        await allow(page)

        await ask(page, id)
        await page.getByText('Nobody has checked this application.').waitFor()
        assert.equal(await page.getByText('has changed since you allowed').count(), 0)
        await follow(page, page.getByRole('button', { name: 'Deny' }))
        assert.match(page.url(), /\/callback\?error=access_denied/)
      }))
  }
})
