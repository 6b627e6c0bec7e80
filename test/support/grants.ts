/** A client that manages its grants, and its requests. */
import assert from 'node:assert/strict'
import { answerOf, Browser, type Reachable } from './browser.ts'
import { callback, codeRequest, walk } from './printing.ts'
import type { Answer, Form } from './start.ts'
import { redeem } from './tokens.ts'

type Grants = ReturnType<typeof manageGrants>

export interface Managing extends Grants {
  readonly credentials: readonly [string, string]
}

const both = 'grant_management_query grant_management_revoke'

/** Registers itself, as in the demo anybody may. */
export const registerManaging = async (
  service: Reachable,
  metadata: object = {},
): Promise<Managing> => {
  const { status, body } = await service.ask('/register', {
    json: {
      client_name: 'Bookkeeper',
      redirect_uris: [callback],
      grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
      scope: both,
      ...metadata,
    },
  })
  assert.equal(status, 201, JSON.stringify(body))
  const credentials = [body.client_id, body.client_secret] as const
  return { credentials, ...manageGrants(service, credentials) }
}

export const manageGrants = (service: Reachable, credentials: readonly [string, string]) => {
  const ask = async (method: 'GET' | 'DELETE', id: string, scope: string): Promise<Answer> => {
    const form = { grant_type: 'client_credentials', scope }
    const { body } = await service.post('/token', form, credentials)
    const headers = { authorization: `Bearer ${body.access_token}` }
    return service.ask(`/grants/${id}`, { method, headers })
  }
  const request = (changes: Form = {}): Form => ({
    ...codeRequest,
    client_id: credentials[0],
    scope: 'photos:read',
    ...changes,
  })
  return {
    request,
    /** The answer to a request, after the owner in the browser allowed what the page asks. */
    answer: async (changes: Form, decided: Form = {}, browser = new Browser(service)) =>
      answerOf(await walk(service, request(changes), decided, browser)),
    /** The token response after that. */
    obtain: async (
      changes: Form,
      decided: Form = {},
      browser = new Browser(service),
    ): Promise<Answer['body']> => {
      const { code = '', ...others } = answerOf(
        await walk(service, request(changes), decided, browser),
      )
      assert.notEqual(code, '', JSON.stringify(others))
      const { status, body, text } = await redeem(service, code, credentials)
      assert.equal(status, 200, text)
      return body
    },
    query: (id: string) => ask('GET', id, 'grant_management_query'),
    revoke: (id: string) => ask('DELETE', id, 'grant_management_revoke'),
  }
}
