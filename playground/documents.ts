/** Documents that the demo serves: metadata of clients, good and with a fault, keys of a platform, and pages to read. */

import { readDocument } from '../src/demo/documents.ts'
import { answerAsset, answerPublicJson } from '../src/http/answer.ts'
import type { JsonObject } from '../src/model/json.ts'
import { Refusal } from '../src/protocol/refusal.ts'
import type { Handler } from '../src/route.ts'
import type { PlaygroundSite } from './flow.ts'
import { sampleKey } from './sample-key.ts'

/** The members of each document that differ from those of a good one. Undefined: it is missing. */
const faults: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'agent.json': {},
  'no-redirects.json': { redirect_uris: undefined },
  'with-secret.json': { client_secret: 'everyone can read this' },
}

/** The key under the tokens of a platform, as the platform publishes it (RFC 7517 section 5). */
const platformKeys = (): JsonObject => {
  const { kid, algorithm, publicKey } = sampleKey
  return { keys: [{ ...publicKey, kid, use: 'sig', alg: algorithm }] }
}

const members = (clientId: string, redirectOrigin: string) => ({
  client_id: clientId,
  client_name: 'Travelling Agent',
  redirect_uris: [`${redirectOrigin}/callback`],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: 'none',
})

const noDocument = (): Refusal =>
  new Refusal('not_found', 'unknown_document', 'there is no such document')

/** `GET /docs/{name}` */
export const servePage: Handler = ({ params: { name = '' } }) => {
  const text = readDocument(name)
  if (text === null) throw noDocument()
  return answerAsset('text/plain; charset=utf-8', text)
}

/** `GET /documents/{name}` */
export const serveDocument =
  ({ issuer, redirectOrigin }: PlaygroundSite): Handler =>
  ({ params: { name = '' } }) => {
    if (name === 'platform-keys.json') return answerPublicJson(platformKeys())
    // Some hosts answer programs with a page.
    if (name === 'page.json') {
      return answerAsset('text/html; charset=utf-8', '<!doctype html><title>One moment</title>')
    }
    if (name === 'borrowed.json') {
      return answerPublicJson(members(`${issuer}/documents/agent.json`, redirectOrigin))
    }
    const fault = Object.hasOwn(faults, name) ? faults[name] : undefined
    if (fault === undefined) throw noDocument()
    return answerPublicJson({ ...members(`${issuer}/documents/${name}`, redirectOrigin), ...fault })
  }
