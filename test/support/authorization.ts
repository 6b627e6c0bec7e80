/** Authorization requests, and the two ways they are answered: on a page, or by redirect to the client. */
import assert from 'node:assert/strict'
import { Browser, type Page, type Reachable } from './browser.ts'
import { authorizePath, codeRequest } from './printing.ts'
import type { Answer } from './start.ts'
import { type Changes, withChanges } from './tokens.ts'

/** A request of the demo's web application with some parameters changed; undefined leaves one out. */
export const askFor = (
  service: Reachable,
  changes: Changes = {},
  browser = new Browser(service),
): Promise<Page> => browser.ask(service.issuer + authorizePath(withChanges(codeRequest, changes)))

/** A browser in which somebody is logged in. */
export const enter = async (
  service: Reachable,
  username = 'alice',
  password = 'wonderland',
): Promise<Browser> => {
  const browser = new Browser(service)
  await browser.logIn(await browser.go(`${service.issuer}/login?switch=1`), username, password)
  return browser
}

/** Told to whoever sits there, and to nobody else (RFC 6749 section 4.1.2.1). */
export const assertOnPage = (page: Answer, description: string): void => {
  assert.equal(page.status, 400, page.headers.get('location') ?? page.text)
  assert.equal(page.headers.get('location'), null)
  assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8')
  assert.equal(page.headers.get('cache-control'), 'no-store')
  const [, sentence = ''] = /<p class="cause">([^<]*)\.<\/p>/.exec(page.text) ?? []
  assert.equal(sentence.toLowerCase(), description.toLowerCase())
  assert.doesNotMatch(page.text, /http-equiv|lk_a[ct]_/)
}

/** The redirect goes to a page of the service, and nothing to the client. */
export const assertOnTheWay = (page: Answer, to: 'login' | 'consent'): void => {
  assert.equal(page.status, 302)
  assert.match(page.headers.get('location') ?? '', new RegExp(`^/${to}\\?journey=[\\w-]+$`))
}

/**
 * The parameters of a redirect to the client, whose headers and form are checked.
 *
 * @param start all of `Location` before the parameters, such as `https://app.example/callback?`
 */
export const sentTo = (page: Answer, start: string): Readonly<Record<string, string>> => {
  assert.equal(page.status, 302, page.text)
  assert.equal(page.headers.get('cache-control'), 'no-store')
  assert.equal(page.headers.get('referrer-policy'), 'no-referrer')
  assert.equal(page.text, '')
  const location = page.headers.get('location') ?? ''
  assert.ok(location.startsWith(start), location)
  const rest = location.slice(start.length)
  assert.doesNotMatch(rest, /[#?]/)
  const parameters = [...new URLSearchParams(rest)]
  assert.equal(new Set(parameters.map(([name]) => name)).size, parameters.length, location)
  return Object.fromEntries(parameters)
}
