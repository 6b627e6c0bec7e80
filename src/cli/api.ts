/**
 * The admin API as commands use it. A command does not know which service answers (`open-api.ts`): a
 * running one, this process itself, or one on another machine.
 */
import { UsageFault } from '../config/remote.ts'
import { makeEntityTag } from '../http/conditions.ts'
import { isObject } from '../model/json.ts'
import { hashShown } from '../operations/seen.ts'
import type { AdminAnswer, AdminRequest } from '../operations/surface/api.ts'
import type { CommandOutput, JsonRow } from '../operations/surface/said.ts'
import { parameterLimits } from '../protocol/parameters.ts'

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

/** The parameters of a list; absent ones are not sent. */
export type AdminQuery = Readonly<Record<string, string | undefined>>

export type ApiWork = (
  api: AdminApi,
  flags: JsonRow,
  names: readonly string[],
) => Promise<CommandOutput>

/** Why nobody answered a fetch. */
export const getCause = (fault: unknown): string => {
  const { cause } = fault instanceof Error ? fault : { cause: undefined }
  return cause instanceof Error ? cause.message : String(fault)
}

const faultOf = ({ status, body }: AdminAnswer): ApiFault => {
  const { title, detail } = isObject(body) ? body : {}
  const said = typeof detail === 'string' ? detail : `the service answered with status ${status}`
  return new ApiFault(said, status, typeof title === 'string' ? title : null)
}

/** A path of the admin API, each part encoded. */
export const joinPath = (...parts: readonly string[]): string =>
  parts.map((part) => encodeURIComponent(part)).join('/')

const addQuery = (path: string, query: AdminQuery): string => {
  const given = Object.entries(query).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  )
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`
}

export const makeAdminApi = (send: AskAdmin) => {
  /**
   * @param seen the subject as a list told it: it has to be so still
   * @throws ApiFault
   */
  const ask = async (
    method: AdminRequest['method'],
    path: string,
    body?: object,
    seen?: object,
  ): Promise<JsonRow> => {
    const answer = await send({
      method,
      path,
      ...(body === undefined ? {} : { body }),
      ...(seen === undefined ? {} : { ifMatch: hashShown(seen) }),
    })
    if (answer.status >= 400) throw faultOf(answer)
    return isObject(answer.body) ? answer.body : {}
  }
  /**
   * Whether the service compares `If-Match` for such a subject: its tag is the one that a command would send.
   * Null where the subject is gone. @throws ApiFault
   */
  const comparesState = async (path: string): Promise<boolean | null> => {
    const answer = await send({ method: 'GET', path })
    if (answer.status === 404) return null
    if (answer.status >= 400) throw faultOf(answer)
    // What a client did lately is no part of its state.
    const { acts: _, ...shown } = isObject(answer.body) ? answer.body : {}
    // Some proxies weaken a tag where they compress.
    return answer.etag?.replace(/^W\//, '') === makeEntityTag(hashShown(shown))
  }
  /** One page of a list. `next` is its cursor. @throws ApiFault */
  const page = async (path: string, query: AdminQuery) => {
    const limit = String(parameterLimits.pageRows)
    const { items, next } = await ask('GET', addQuery(path, { limit, ...query }))
    return {
      rows: items as readonly JsonRow[],
      next: typeof next === 'string' ? next : undefined,
    }
  }
  return {
    ask,
    comparesState,
    page,
    /** The rows of a list, page by page, up to so many. @throws ApiFault */
    async list(
      path: string,
      query: AdminQuery,
      most = Number.POSITIVE_INFINITY,
    ): Promise<readonly JsonRow[]> {
      if (!(most >= 1)) throw new UsageFault('--limit has to be a whole number from 1 on')
      const rows: JsonRow[] = []
      let after: string | undefined
      do {
        const limit = String(Math.min(parameterLimits.pageRows, most - rows.length))
        const { rows: more, next } = await page(path, { ...query, limit, after })
        rows.push(...more)
        after = next
      } while (after !== undefined && rows.length < most)
      return rows
    },
  }
}

export type AdminApi = ReturnType<typeof makeAdminApi>
