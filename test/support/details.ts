/** A service with details of two resources: `payments`, built in, and `orders`, of an API with JWTs. */
import assert from 'node:assert/strict'
import { defaultResources, parseResources } from '../../src/config/resources.ts'
import { answerOf, Browser, type Page } from './browser.ts'
import { nightlyReport, photoPrinter } from './demo-clients.ts'
import { orders } from './elsewhere.ts'
import { authorizePath, codeRequest, walk } from './printing.ts'
import { type Started, start } from './start.ts'
import { type Changes, redeem, withChanges } from './tokens.ts'

const parsed = parseResources([
  {
    name: 'payments',
    title: { en: 'Payments', de: 'Zahlungen', zh: '付款' },
    read: 'See your payments',
    write: 'Change your payments',
    actions: { pay: 'Pay from your account' },
    details: { amount: { en: 'Amount', de: 'Betrag' }, to: 'To', urgent: 'Urgent' },
    destructive: ['pay:spend'],
  },
  {
    name: 'orders',
    title: 'Orders',
    read: 'See your orders',
    write: 'Change your orders',
    details: { shop: 'Shop' },
    uri: orders,
    access_token_format: 'jwt',
    introspection_clients: [nightlyReport[0]],
  },
])

export const startWithDetails = async (): Promise<Started> => {
  assert.ok('value' in parsed)
  return start({ resources: [...defaultResources, ...parsed.value] })
}

export const rent = { type: 'payments', actions: ['pay'], amount: '800.00', to: 'Landlord' }
export const books = { type: 'orders', actions: ['read', 'write'], shop: 'Books' }

/** A request for details alone, as a client sends it. */
export const detailRequest = (details: unknown, changes: Changes = {}) => ({
  ...withChanges({ ...codeRequest, authorization_details: JSON.stringify(details) }, changes),
})

/** The consent page of a request, for alice. */
export const openConsent = async (
  service: Started,
  details: unknown,
  changes: Changes = {},
  browser = new Browser(service),
): Promise<{ readonly browser: Browser; readonly page: Page }> => {
  const path = authorizePath(detailRequest(details, changes))
  let page = await browser.go(service.issuer + path)
  if (page.url.includes('/login')) page = await browser.logIn(page, 'alice', 'wonderland')
  return { browser, page }
}

interface DetailTokens {
  readonly access_token: string
  readonly refresh_token: string
  readonly scope: string
  readonly authorization_details?: unknown
}

/** What alice's whole consent to details earns the demo's web application. */
export const obtainDetails = async (
  service: Started,
  details: unknown,
  changes: Changes = {},
  atToken: Changes = {},
): Promise<DetailTokens> => {
  const request = detailRequest(details, { prompt: 'consent', ...changes })
  const { code, ...others } = answerOf(await walk(service, request))
  assert.ok(code, JSON.stringify(others))
  const answer = await redeem(service, code, photoPrinter, atToken)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

/** The refusal of a request, as the client gets it. */
export const refusalOf = async (
  service: Started,
  details: string | undefined,
  changes: Changes = {},
): Promise<readonly (string | undefined)[]> => {
  const request = withChanges({ ...codeRequest }, { authorization_details: details, ...changes })
  const browser = new Browser(service)
  await browser.logIn(await browser.go('/login'), 'alice', 'wonderland')
  const page = await browser.go(service.issuer + authorizePath(request))
  if (page.status === 200) return ['shown', undefined]
  const { error, error_description: said } = answerOf(page)
  return [error, said]
}
