/** An application with a page at its redirect URI, and its token requests. */

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Page } from 'playwright-core'
import { openBefore } from '../support/before.ts'

/** Who the application is to the service. */
export interface Registered {
  readonly id: string
  readonly secret: string
}

const photoPrinter: Registered = { id: 'photo-printer', secret: 'photo-printer-secret' }

export interface Application {
  /** Sends the browser to the service, which asks its owner. */
  ask(page: Page, scope: string, as?: Registered, mode?: 'form_post'): Promise<void>
  /** The way back to the application: what its callback was sent. */
  back(page: Page): Promise<URLSearchParams>
  /** The form posted to its callback, and the origin of the post. */
  posted(page: Page): Promise<{ readonly origin: string; readonly fields: URLSearchParams }>
  /** What a code is exchanged for. */
  redeem(code: string, as?: Registered): Promise<Record<string, unknown>>
  /** The status of a request for the owner's photos. */
  reach(token: unknown): Promise<number>
  /** Registers another application that is sent back to the same page (RFC 7591). */
  register(name: string): Promise<Registered>
  close(): void
}

/** Its page shows what was posted, and is empty otherwise. */
const openApplication = async (issuer: string): Promise<Application> => {
  const server = createServer(async (request, response) => {
    const posted = await text(request)
    // Form encoding holds nothing that HTML would read.
    const said = posted === '' ? '' : `<pre>${request.headers.origin} ${posted}</pre>`
    response.setHeader('Content-Type', 'text/html').end(`<!doctype html><title>Back</title>${said}`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const callback = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`
  return {
    async ask(page, scope, { id } = photoPrinter, mode) {
      const asked = { response_type: 'code', client_id: id, redirect_uri: callback, scope }
      const query = new URLSearchParams({ ...asked, state: 'a state & more' })
      if (mode !== undefined) query.set('response_mode', mode)
      await page.goto(`${issuer}/authorize?${query}`)
    },
    async back(page) {
      await page.waitForURL(`${callback}?*`)
      return new URL(page.url()).searchParams
    },
    async posted(page) {
      await page.waitForURL(callback)
      const [origin = '', form = ''] = ((await page.locator('pre').textContent()) ?? '').split(' ')
      return { origin, fields: new URLSearchParams(form) }
    },
    async redeem(code, { id, secret } = photoPrinter) {
      const answer = await fetch(`${issuer}/token`, {
        method: 'POST',
        headers: { Authorization: `Basic ${btoa(`${id}:${secret}`)}` },
        body: new URLSearchParams({
          grant_type: 'authorization_code',
          code,
          redirect_uri: callback,
        }),
      })
      return (await answer.json()) as Record<string, unknown>
    },
    async reach(token) {
      const headers = { Authorization: `Bearer ${token}` }
      return (await fetch(`${issuer}/api/photos`, { headers })).status
    },
    async register(name) {
      const answer = await fetch(`${issuer}/register`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({
          client_name: name,
          redirect_uris: [callback],
          scope: 'calendar contacts photos',
        }),
      })
      const { client_id, client_secret } = (await answer.json()) as Record<string, string>
      return { id: client_id ?? '', secret: client_secret ?? '' }
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** One for the tests of a suite, beside its demo. */
export const openApplicationBefore = (demo: { readonly issuer: string }): Application =>
  openBefore(
    () => openApplication(demo.issuer),
    (application) => application.close(),
  )
