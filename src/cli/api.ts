/**
 * The admin API as commands use it. A command does not know which service answers (`open-api.ts`): a
 * running one, this process itself, or one on another machine.
 */

import { limits } from '../config/limits.ts'
import { UsageFault } from '../config/remote.ts'
import type { AdminAnswer, AdminRequest } from '../operations/surface/api.ts'
import { isObject, type JsonRow } from '../operations/surface/said.ts'

/** @throws ApiFault where nobody answers */
export type AskAdmin = (request: AdminRequest) => Promise<AdminAnswer>

/** The admin API refused, or did not answer. */
export class ApiFault extends Error {
  /** HTTP status; null where nobody answered. */
  readonly status: number | null
  /** The error code of the refusal; null without one. */
  readonly title: string | null

  constructor(message: string, status: number | null = null, title: string | null = null) {
    super(message)
    this.status = status
    this.title = title
  }
}

export interface AdminApi {
  /** @throws ApiFault */
  ask(method: AdminRequest['method'], path: string, body?: object): Promise<JsonRow>
  /** One page of a list. `next` is its cursor. @throws ApiFault */
  page(path: string, query: AdminQuery): Promise<AdminPage>
  /** The rows of a list, page by page, up to so many. @throws ApiFault */
  list(path: string, query: AdminQuery, most?: number): Promise<readonly JsonRow[]>
}

export interface AdminPage {
  readonly rows: readonly JsonRow[]
  readonly next: string | undefined
}

/** The parameters of a list; absent ones are not sent. */
export type AdminQuery = Readonly<Record<string, string | undefined>>

const faultOf = ({ status, body }: AdminAnswer): ApiFault => {
  const { title, detail } = isObject(body) ? body : {}
  const said = typeof detail === 'string' ? detail : `the service answered with status ${status}`
  return new ApiFault(said, status, typeof title === 'string' ? title : null)
}

/** A path of the admin API, each part encoded. */
export const pathTo = (...parts: readonly string[]): string =>
  parts.map((part) => encodeURIComponent(part)).join('/')

const withQuery = (path: string, query: AdminQuery): string => {
  const given = Object.entries(query).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  )
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`
}

export const adminApi = (send: AskAdmin): AdminApi => {
  const ask: AdminApi['ask'] = async (method, path, body) => {
    const answer = await send({ method, path, ...(body === undefined ? {} : { body }) })
    if (answer.status >= 400) throw faultOf(answer)
    return isObject(answer.body) ? answer.body : {}
  }
  const page: AdminApi['page'] = async (path, query) => {
    const limit = String(limits.pageRows)
    const { items, next } = await ask('GET', withQuery(path, { limit, ...query }))
    return {
      rows: items as readonly JsonRow[],
      next: typeof next === 'string' ? next : undefined,
    }
  }
  return {
    ask,
    page,
    async list(path, query, most = Number.POSITIVE_INFINITY) {
      if (!(most >= 1)) throw new UsageFault('--limit has to be a whole number from 1 on')
      const rows: JsonRow[] = []
      let after: string | undefined
      do {
        const limit = String(Math.min(limits.pageRows, most - rows.length))
        const { rows: more, next } = await page(path, { ...query, limit, after })
        rows.push(...more)
        after = next
      } while (after !== undefined && rows.length < most)
      return rows
    },
  }
}
