/** Directories that provision people by SCIM: a client of the operator with the permission, and its requests. */
import assert from 'node:assert/strict'
import { type Operator, operatorOf } from '../flows/operator.ts'
import type { Reachable } from './browser.ts'
import { newName } from './people.ts'
import type { Answer } from './start.ts'

export const userSchema = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const groupSchema = 'urn:ietf:params:scim:schemas:core:2.0:Group'
const patchSchema = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'

export interface Directory {
  readonly operator: Operator
  readonly clientId: string
  readonly credentials: readonly [string, string]
  /** @param headers further ones */
  readonly ask: (
    method: string,
    path: string,
    json?: unknown,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<Answer>
}

/** @param scope of the client and of its token */
export const openDirectory = async (service: Reachable, scope = 'scim'): Promise<Directory> => {
  const operator = await operatorOf(service)
  const made = await operator('POST', 'clients', {
    client_name: newName(),
    grant_types: ['client_credentials'],
    scope,
  })
  assert.equal(made.status, 201, made.text)
  const { client_id: clientId, client_secret: secret } = made.body
  const credentials = [clientId, secret] as const
  const { body, text, status } = await service.post(
    '/token',
    { grant_type: 'client_credentials', scope },
    credentials,
  )
  assert.equal(status, 200, text)
  return {
    operator,
    clientId,
    credentials,
    ask: (method, path, json, headers = {}) =>
      service.ask(`/scim/v2${path}`, {
        method,
        headers: {
          authorization: `Bearer ${body.access_token}`,
          ...(json === undefined ? {} : { 'content-type': 'application/scim+json' }),
          ...headers,
        },
        ...(json === undefined ? {} : { json }),
      }),
  }
}

export const patchOf = (...operations: readonly object[]) => ({
  schemas: [patchSchema],
  Operations: operations,
})

/** A user of the directory. */
export const addUser = async ({ ask }: Directory, members: object = {}) => {
  const sent = { schemas: [userSchema], userName: newName(), ...members }
  const { status, body, text } = await ask('POST', '/Users', sent)
  assert.equal(status, 201, text)
  return body
}

export const addGroup = async (
  { ask }: Directory,
  displayName: string,
  members: readonly string[] = [],
) => {
  const sent = { schemas: [groupSchema], displayName, members: members.map((value) => ({ value })) }
  const { status, body, text } = await ask('POST', '/Groups', sent)
  assert.equal(status, 201, text)
  return body
}
