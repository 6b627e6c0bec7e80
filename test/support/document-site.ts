/** A host of client metadata documents on this machine. Tests say what it answers. */

import type { IncomingMessage, ServerResponse } from 'node:http'
import { openBefore } from './before.ts'
import { openSite, type Site } from './site.ts'

type Answer = (request: IncomingMessage, response: ServerResponse) => void
type DocumentJson = Readonly<Record<string, unknown>>

export interface DocumentSite {
  readonly site: Site
  url(path?: string): string
  /** Serves a document at a path; `change` and `headers` over a good one. */
  serve(path: string, change?: DocumentJson, headers?: Readonly<Record<string, string>>): string
  /** Serves anything else at a path. */
  answer(path: string, answer: Answer): string
  asked(path: string): number
}

/** A good document, of a native application. */
export const goodDocument = (client_id: string): DocumentJson => ({
  client_id,
  client_name: 'Helper',
  client_uri: 'https://helper.example',
  redirect_uris: ['http://127.0.0.1/callback', 'http://localhost/callback'],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: 'none',
})

export const openDocumentSite = async (): Promise<DocumentSite> => {
  const answers = new Map<string, Answer>()
  const site = await openSite((request, response) => {
    const answer = answers.get(request.url ?? '')
    if (answer === undefined) response.writeHead(404).end()
    else answer(request, response)
  })
  const url = (path = '/client.json'): string => `http://127.0.0.1:${site.port}${path}`
  const answer = (path: string, given: Answer): string => {
    answers.set(path, given)
    return url(path)
  }
  return {
    site,
    url,
    answer,
    serve: (path, change = {}, headers = {}) =>
      answer(path, (_request, response) => {
        const body = JSON.stringify({ ...goodDocument(url(path)), ...change })
        response.writeHead(200, { 'Content-Type': 'application/json', ...headers }).end(body)
      }),
    asked: (path) => site.requests.filter((request) => request.url === path).length,
  }
}

/** One for the tests of a file or a suite. */
export const openDocumentSiteBefore = (): DocumentSite =>
  openBefore(openDocumentSite, ({ site }) => site.close())
