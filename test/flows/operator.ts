/** An operator's program: asks the admin API with a token of `latchkey-admin`. */
import assert from 'node:assert/strict'
import { latchkeyAdmin } from '../support/demo-clients.ts'
import { type Answer, type Init, type Started, start, startBefore } from '../support/start.ts'

export type Operator = (method: string, path: string, json?: unknown) => Promise<Answer>

export const bearer = (token: string): Init => ({ headers: { authorization: `Bearer ${token}` } })

/** @param scope of the token; everything if it is absent */
export const operatorOf = async (
  service: Pick<Started, 'ask' | 'post'>,
  scope?: string,
  client: readonly [string, string] = latchkeyAdmin,
): Promise<Operator> => {
  const form = { grant_type: 'client_credentials', ...(scope === undefined ? {} : { scope }) }
  const { status, body, text } = await service.post('/token', form, client)
  assert.equal(status, 200, text)
  return (method, path, json) =>
    service.ask(`/admin/api/${path}`, {
      ...bearer(body.access_token),
      method,
      ...(json === undefined ? {} : { json }),
    })
}

/** A service with the program of its operator, for the tests of a file or a suite. */
export const startWithOperator = (): { service: Started; operator: Operator } => {
  let operator: Operator | undefined
  const service = startBefore(start, async () => {
    operator = await operatorOf(service)
  })
  return {
    service,
    operator: (...asked) => operator?.(...asked) ?? assert.fail('not open yet'),
  }
}

/** A refusal as the admin API writes it (RFC 9457). */
export const problem = (title: string, status: number, detail: string) => ({
  type: 'about:blank',
  title,
  status,
  detail,
})

/** What the admin API answers to a token: 200 or 401. Asked often enough to be remembered. */
export const opensAdmin = async (service: Started, token: string): Promise<number> => {
  const statuses = new Set<number>()
  for (let i = 0; i < 4; i++) {
    statuses.add((await service.ask('/admin/api/clients', bearer(token))).status)
  }
  assert.equal(statuses.size, 1)
  return [...statuses][0] ?? 0
}
