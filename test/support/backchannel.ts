/** A client that asks an owner elsewhere, and the account page of that owner (OpenID CIBA). */
import assert from 'node:assert/strict'
import { Browser, type FoundForm, formsOf, type Page, type Reachable } from './browser.ts'
import type { Answer, Form } from './start.ts'

export const backchannelGrant = 'urn:openid:params:grant-type:ciba'
export const requestsPath = '/account/requests'
export const cashDesk = ['cash-desk', 'cash-desk-secret'] as const

export type ClientPair = readonly [id: string, secret: string]

export interface AskedBackchannel {
  readonly auth_req_id: string
  readonly expires_in: number
  readonly interval: number
}

export const tryBackchannel = (
  service: Reachable,
  form: Form = {},
  client: ClientPair = cashDesk,
): Promise<Answer> =>
  service.post('/bc-authorize', { login_hint: 'alice', scope: 'photos:read', ...form }, client)

export const askBackchannel = async (
  service: Reachable,
  form?: Form,
  client?: ClientPair,
): Promise<AskedBackchannel> => {
  const { status, body } = await tryBackchannel(service, form, client)
  assert.equal(status, 200, JSON.stringify(body))
  return body as AskedBackchannel
}

export const pollBackchannel = (
  service: Reachable,
  { auth_req_id }: Pick<AskedBackchannel, 'auth_req_id'>,
  form: Form = {},
  client: ClientPair = cashDesk,
): Promise<Answer> =>
  service.post('/token', { grant_type: backchannelGrant, auth_req_id, ...form }, client)

/** The page of requests in a browser with a login. */
export const openRequests = async (
  service: Reachable,
  [username, password]: readonly [string, string] = ['alice', 'wonderland'],
): Promise<{ readonly browser: Browser; readonly page: Page }> => {
  const browser = new Browser(service)
  const login = await browser.go(requestsPath)
  return { browser, page: await browser.logIn(login, username, password) }
}

/** The forms of the requests on the page, the newest first. */
export const requestForms = ({ text }: Pick<Page, 'text'>): readonly FoundForm[] =>
  formsOf(text).filter(({ fields }) => fields.request !== undefined)

interface Opened {
  readonly browser: Browser
  readonly page: Page
}

/** The form of a request on the page. The id of the request is in its code. */
export const formOf = (
  { page }: Pick<Opened, 'page'>,
  { auth_req_id }: Pick<AskedBackchannel, 'auth_req_id'>,
): FoundForm => {
  const id = auth_req_id.slice('lk_ar_'.length, -43)
  const form = requestForms(page).find(({ fields }) => fields.request?.[0] === id)
  assert.ok(form, `the request is not on ${page.url}: ${page.text}`)
  return form
}

export const decide = async (
  opened: Opened,
  codes: Pick<AskedBackchannel, 'auth_req_id'>,
  decision: 'allow' | 'deny',
  changes: Form = {},
): Promise<Page> =>
  opened.browser.submitForm(opened.page, formOf(opened, codes), { decision, ...changes })

/** Decides in a new browser. */
export const decideAnew = async (
  service: Reachable,
  codes: Pick<AskedBackchannel, 'auth_req_id'>,
  decision: 'allow' | 'deny' = 'allow',
  changes: Form = {},
): Promise<Page> => decide(await openRequests(service), codes, decision, changes)
