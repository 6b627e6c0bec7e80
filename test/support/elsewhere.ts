/** A service with two APIs elsewhere: House App is the API of the tools, Nightly Report that of the orders. */
import assert from 'node:assert/strict'
import { defaultResources, parseResources } from '../../src/config/resources.ts'
import { houseApp, nightlyReport, photoPrinter } from './demo-clients.ts'
import { codeRequest, obtainCode } from './printing.ts'
import { type Started, start } from './start.ts'
import { redeem } from './tokens.ts'

export const tools = 'https://mcp.example.com/tools'
export const orders = 'https://orders.example.com'

const toolsThere = {
  name: 'tools',
  title: 'Tools',
  read: 'See your tools',
  write: 'Use your tools',
  uri: tools,
  introspection_clients: [houseApp[0]],
}

const elsewhere = parseResources([
  toolsThere,
  {
    name: 'orders',
    title: 'Orders',
    read: 'See your orders',
    write: 'Change your orders',
    actions: { refund: 'Refund orders' },
    uri: orders,
    introspection_clients: [nightlyReport[0]],
  },
])

export const invoices = 'https://invoices.example.com'

/** The same, where tokens for the orders are JWTs. A third API also takes JWTs: that of the invoices. */
const withJwts = parseResources([
  toolsThere,
  {
    name: 'orders',
    title: 'Orders',
    read: 'See your orders',
    write: 'Change your orders',
    uri: orders,
    access_token_format: 'jwt',
    introspection_clients: [nightlyReport[0]],
  },
  {
    name: 'invoices',
    title: 'Invoices',
    read: 'See your invoices',
    write: 'Change your invoices',
    uri: invoices,
    access_token_format: 'jwt',
    introspection_clients: [houseApp[0]],
  },
])

export const startWithJwts = async (given: Parameters<typeof start>[0] = {}): Promise<Started> => {
  assert.ok('value' in withJwts)
  return start({ resources: [...defaultResources, ...withJwts.value], ...given })
}

export const startWithElsewhere = async (): Promise<Started> => {
  assert.ok('value' in elsewhere)
  return start({ resources: [...defaultResources, ...elsewhere.value] })
}

/** Values of `resource`. */
export type ResourceValues = string | readonly string[]

/**
 * Tokens for alice's approval of a request.
 *
 * @param atToken `resource` of the token request
 */
export const obtainFor = async (
  service: Started,
  scope: string,
  resource: ResourceValues,
  atToken?: ResourceValues,
): Promise<{ access_token: string; refresh_token: string; scope: string }> => {
  const request = { ...codeRequest, scope, resource, prompt: 'consent' }
  const changes = atToken === undefined ? {} : { resource: atToken }
  const answer = await redeem(service, await obtainCode(service, request), photoPrinter, changes)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}
