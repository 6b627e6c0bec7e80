/**
 * The admin API for commands of this machine. A command asks as a program would, without a token: it
 * came over the control socket, or the process has the store open itself.
 */
import type { Settings } from '../config/settings.ts'
import type { RespondTo } from '../http/listen.ts'

export interface AdminRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Below `{base_url}/admin/api/`, with the query. */
  readonly path: string
  /** Sent as JSON. */
  readonly body?: object
}

export interface AdminAnswer {
  readonly status: number
  /** Null where the answer has none. */
  readonly body: unknown
}

/** @param user of the system, as events name who acted */
export type Operate = (request: AdminRequest, user: string) => Promise<AdminAnswer>

export const operateBy =
  (respond: RespondTo, { issuer }: Pick<Settings, 'issuer'>): Operate =>
  async ({ method, path, body }, user) => {
    const request = new Request(`${issuer}/admin/api/${path}`, {
      method,
      ...(body === undefined
        ? {}
        : { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
    })
    const answer = await respond(request, '127.0.0.1', user)
    const isText = typeof answer.body === 'string' && answer.body !== ''
    return { status: answer.status, body: isText ? JSON.parse(answer.body as string) : null }
  }
