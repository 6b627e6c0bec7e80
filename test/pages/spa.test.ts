/** The application of docs/browser.md, in a browser. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { blocksOf } from '../shape/blocks.ts'
import { root } from '../shape/source.ts'
import { findChromium, noChromium } from './chromium.ts'
import { type Demo, logIn, openDemo } from './demo.ts'

const chromium = findChromium()

/** The page at `/` and at its redirect URI, its script, and the library. */
const serve = (issuer: string): Server => {
  const page = 'docs/browser.md'
  const blocks = blocksOf(page, readFileSync(join(root, page), 'utf8'))
  const named = (wanted: string): string => blocks.find(({ name }) => name === wanted)?.text ?? ''
  const library = join(root, 'node_modules/oauth4webapi/build/index.js')
  const scripts = new Map([
    ['/app.js', named('app.js').replace('http://127.0.0.1:6749', issuer)],
    ['/oauth4webapi.js', readFileSync(library, 'utf8')],
  ])
  return createServer(({ url = '' }, response) => {
    const script = scripts.get(url)
    response.setHeader('Content-Type', script === undefined ? 'text/html' : 'text/javascript')
    response.end(script ?? named('index.html'))
  }).listen(0, '127.0.0.1')
}

describe('a browser application', { skip: noChromium(chromium) }, () => {
  let demo: Demo
  let server: Server

  before(async () => {
    demo = await openDemo(chromium ?? '')
    server = serve(demo.issuer)
    await once(server, 'listening')
  })
  after(async () => {
    server.close()
    await demo.close()
  })

  test('gets a code with PKCE, redeems it, and reads the API from its own origin', () =>
    demo.walk('spa', { width: 1280, javaScriptEnabled: true }, async (page) => {
      const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      await page.goto(origin)
      await page.getByRole('button', { name: 'Show my photos' }).click()
      await page.getByLabel('Username or email address').waitFor()
      await logIn(page, 'alice', 'wonderland')
      await page.getByRole('button', { name: 'Allow' }).click()
      await page.getByText('3 photos').waitFor()
      assert.equal(page.url(), `${origin}/gallery`)
    }))
})
