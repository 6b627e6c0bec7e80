/** Requests that clients push (RFC 9126), as tests send them. */
import assert from 'node:assert/strict'
import type { Browser, Page, Reachable } from './browser.ts'
import { photoPrinter } from './demo-clients.ts'
import { authorizePath, codeRequest } from './printing.ts'
import type { Answer, Form } from './start.ts'

export const uriStart = 'urn:ietf:params:oauth:request_uri:'

/** A client with its credentials; one without a secret is public. */
export type Pusher = readonly [id: string, secret?: string]

/** @param form may say anything, so it need not name the client */
export const tryPush = (
  service: Reachable,
  form: Form = codeRequest,
  [id, secret]: Pusher = photoPrinter,
): Promise<Answer> =>
  service.post('/par', { ...form, client_id: id }, secret === undefined ? undefined : [id, secret])

/** The `request_uri` of a request of the demo's web application, or of another client. */
export const push = async (
  service: Reachable,
  form: Form = codeRequest,
  client: Pusher = photoPrinter,
): Promise<string> => {
  const { status, body } = await tryPush(service, form, client)
  assert.equal(status, 201, JSON.stringify(body))
  return body.request_uri
}

export const pushedPath = (request_uri: string, client_id = 'photo-printer'): string =>
  authorizePath({ client_id, request_uri })

/** Goes to `/authorize` with a pushed request, and on as far as the service leads. */
export const goPushed = (browser: Browser, requestUri: string, clientId?: string): Promise<Page> =>
  browser.go(pushedPath(requestUri, clientId))

export const unusable = 'The request at request_uri cannot be used'
