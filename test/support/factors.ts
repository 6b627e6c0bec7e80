/** Setting up second factors as a person would, and logging in with them. */
import { createHmac } from 'node:crypto'
import { Authenticator, answerAsked, askedOn } from './authenticator.ts'
import { Browser, type FoundForm, formsOf, type Page, type Reachable } from './browser.ts'
import type { Form } from './start.ts'

/** Passkeys belong to a name, so a service whose pages offer them needs one. */
export const named = { issuer: 'https://auth.example.com', demo: true } as const

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

const unbased = (secret: string): Buffer => {
  const bits = [...secret].map((c) => alphabet.indexOf(c).toString(2).padStart(5, '0')).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

/** What an application shows at a moment (RFC 6238), written a second time so that both can be wrong. */
export const codeAt = (secret: string, seconds: number): string => {
  const counter = Buffer.alloc(8)
  counter.writeUInt32BE(Math.floor(seconds / 30), 4)
  const mac = createHmac('sha1', unbased(secret)).update(counter).digest()
  const at = (mac[19] ?? 0) & 15
  return String((mac.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

/** The form of a page that has a field. */
export const formWith = (page: Page, field: string): FoundForm => {
  const form = formsOf(page.text).find(({ fields }) => field in fields)
  if (form === undefined) throw new Error(`no form with ${field}: ${page.status} ${page.text}`)
  return form
}

export const submitWith = (
  browser: Browser,
  page: Page,
  field: string,
  changes: Form,
): Promise<Page> => browser.submitForm(page, formWith(page, field), changes)

/** @returns the secret, in base32 */
export const setUpCodes = async (browser: Browser, now: number): Promise<string> => {
  const page = await browser.go('/account/security/codes')
  const [, secret = ''] = /secret=([A-Z2-7]+)/.exec(page.text) ?? []
  await submitWith(browser, page, 'code', { code: codeAt(secret, now) })
  return secret
}

export const makeRecoveryCodes = async (browser: Browser): Promise<readonly string[]> => {
  const page = await browser.go('/account/security/recovery')
  const codes = [...page.text.matchAll(/<code>([^<]+)<\/code>/g)].map(([, code = '']) => code)
  await browser.submit(page)
  return codes
}

export const addPasskey = async (
  browser: Browser,
  device: Authenticator,
  name = 'Telephone',
): Promise<Page> => {
  const asked = askedOn(await browser.go('/account/security/passkeys'))
  return answerAsked(browser, asked, device.create(asked), { name })
}

/** Makes recovery codes and requires a passkey beside the password. @returns the recovery codes */
export const requirePasskey = async (browser: Browser): Promise<readonly string[]> => {
  const codes = await makeRecoveryCodes(browser)
  const page = await browser.go('/account/security/passkeys')
  const form = formsOf(page.text).find(({ fields }) => fields.action?.[0] === 'passkey_only_on')
  if (form === undefined) throw new Error(`no choice of passkey only: ${page.text}`)
  await browser.submitForm(page, form)
  return codes
}

/** A person's device. */
export const newDevice = ({ issuer }: Reachable, counts = false): Authenticator =>
  new Authenticator(new URL(issuer).origin, counts)

/** A browser that has given the right password and is asked for more. */
export const firstStep = async (
  service: Reachable,
  username = 'alice',
  password = 'wonderland',
  browser = new Browser(service),
): Promise<{ browser: Browser; page: Page }> => {
  const page = await browser.logIn(await browser.go('/login?switch=1'), username, password)
  return { browser, page }
}

/** Whether a browser is logged in. */
export const isInside = async (browser: Browser): Promise<boolean> =>
  (await browser.ask('/account')).status === 200
