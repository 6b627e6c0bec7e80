/** The admin API of a service on another machine, by an access token. */

import type { Remote } from '../config/remote.ts'
import { ApiFault, type AskAdmin } from './api.ts'
import { cliLimits } from './limits.ts'

const unreachable = (server: string, fault: unknown): ApiFault => {
  const { cause } = fault instanceof Error ? fault : { cause: undefined }
  const why = cause instanceof Error ? cause.message : String(fault)
  return new ApiFault(`${server} does not answer: ${why}`)
}

const noAdminApi = (server: string): ApiFault =>
  new ApiFault(`${server} has no admin API: --server has to be the issuer of a service`)

const parse = (text: string, server: string): unknown => {
  if (text === '') return null
  try {
    return JSON.parse(text)
  } catch {
    throw new ApiFault(
      `${server} answered something that is not JSON: is it the issuer of a Latchkey?`,
    )
  }
}

export const askRemote =
  ({ server, token }: Remote): AskAdmin =>
  async ({ method, path, body }) => {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
    const init = body === undefined ? {} : { body: JSON.stringify(body) }
    const signal = AbortSignal.timeout(cliLimits.commandSeconds * 1000)
    // A redirect would take the token to another place.
    const options = { method, headers, ...init, signal, redirect: 'error' } as const
    try {
      const answer = await fetch(`${server}/admin/api/${path}`, options)
      const said = { status: answer.status, body: parse(await answer.text(), server) }
      const isProblem = answer.headers.get('content-type')?.startsWith('application/problem+json')
      // The admin API tells of every refusal in this form (RFC 9457).
      if (said.status === 404 && isProblem !== true) throw noAdminApi(server)
      return said
    } catch (fault) {
      throw fault instanceof ApiFault ? fault : unreachable(server, fault)
    }
  }
