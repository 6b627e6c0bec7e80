/** The page that posts a response to the application: by itself with JavaScript, by a button without. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openApplicationBefore } from './application.ts'
import { findChromium, noChromium } from './chromium.ts'
import { follow, logIn, nameOf, openDemoBefore, ways } from './demo.ts'

const chromium = findChromium()

describe('response_mode=form_post in a browser', { skip: noChromium(chromium) }, () => {
  const demo = openDemoBefore(chromium ?? '')
  const application = openApplicationBefore(demo)

  for (const way of ways) {
    test(`${nameOf(way)}: allow and deny come back by POST`, () =>
      demo.walk('form-post', way, async (page, look) => {
        const ask = () => application.ask(page, 'photos:read', undefined, 'form_post')
        const back = async () => {
          if (!way.javaScriptEnabled) {
            await page.getByRole('heading', { name: 'Back to Photo Printer' }).waitFor()
            await look(page, 'back')
            await follow(page, page.getByRole('button', { name: 'Go on' }))
          }
          const { origin, fields } = await application.posted(page)
          assert.deepEqual(
            [origin, fields.get('state'), fields.get('iss')],
            [demo.issuer, 'a state & more', demo.issuer],
          )
          return fields
        }
        await ask()
        await logIn(page, await demo.newPerson())
        await page.getByRole('button', { name: 'Deny' }).click()
        const denied = await back()
        assert.deepEqual([denied.get('error'), denied.get('code')], ['access_denied', null])
        await ask()
        await page.getByRole('button', { name: 'Allow' }).click()
        const allowed = await back()
        assert.deepEqual([...allowed.keys()].sort(), ['code', 'iss', 'state'])
        const { access_token: token } = await application.redeem(allowed.get('code') ?? '')
        assert.equal(await application.reach(token), 200)
      }))
  }
})
