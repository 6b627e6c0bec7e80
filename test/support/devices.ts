/** A device without a browser, and the browser of its owner (RFC 8628). */
import assert from 'node:assert/strict'
import { Browser, type Page, type Reachable } from './browser.ts'
import type { Answer, Form } from './start.ts'

export const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'

export interface DeviceCodes {
  readonly device_code: string
  readonly user_code: string
  readonly verification_uri: string
  readonly verification_uri_complete: string
  readonly expires_in: number
  readonly interval: number
}

export const tryDevice = (
  service: Reachable,
  form: Form = { scope: 'photos:read' },
  client: Form = { client_id: 'tv-player' },
): Promise<Answer> => service.post('/device_authorization', { ...form, ...client })

export const askForDevice = async (service: Reachable, form?: Form): Promise<DeviceCodes> => {
  const { status, body } = await tryDevice(service, form)
  assert.equal(status, 200, JSON.stringify(body))
  return body as DeviceCodes
}

export const poll = (
  service: Reachable,
  { device_code }: Pick<DeviceCodes, 'device_code'>,
  form: Form = {},
): Promise<Answer> =>
  service.post('/token', {
    grant_type: deviceGrant,
    client_id: 'tv-player',
    device_code,
    ...form,
  })

/** Types a code into the page for it, and goes as far as the service leads. */
export const enterCode = async (browser: Browser, code: string): Promise<Page> =>
  browser.submit(await browser.go('/device'), { user_code: code })

/** Goes to the page before consent, in a new browser. */
export const arrive = async (
  service: Reachable,
  { user_code }: Pick<DeviceCodes, 'user_code'>,
  [username, password]: readonly [string, string] = ['alice', 'wonderland'],
): Promise<{ readonly browser: Browser; readonly page: Page }> => {
  const browser = new Browser(service)
  const login = await enterCode(browser, user_code)
  return { browser, page: await browser.logIn(login, username, password) }
}

/** Approves as an owner does: code, login, who asks, consent. Answers with the last page. */
export const approveDevice = async (
  service: Reachable,
  codes: Pick<DeviceCodes, 'user_code'>,
  consent: Form = {},
): Promise<Page> => {
  const { browser, page } = await arrive(service, codes)
  const asked = await browser.submit(page, { decision: 'continue' })
  assert.match(asked.url, /\/consent\?/, asked.text)
  return browser.submit(asked, { decision: 'allow', ...consent })
}
