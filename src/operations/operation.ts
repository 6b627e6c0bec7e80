/** One row for each action of an operator and for each list: everything that one is. */

import type { z } from 'zod'
import { type Answer, answerJson, answerNothing } from '../http/answer.ts'
import { readJsonObject, readOptionalJson } from '../http/body.ts'
import { makeEntityTag } from '../http/conditions.ts'
import type { Exchange } from '../http/exchange.ts'
import { adminPermissions, type Permission } from '../model/resource.ts'
import { Parameters, parseLimit } from '../protocol/parameters.ts'
import type { Z } from '../protocol/schema.ts'
import type { Trace } from '../store/contract/trace.ts'
import { traceOf } from '../store/trace.ts'
import { type DescribedParameter, type ListFilter, readListQuery } from './lists.ts'
import { type AdminNeeds, checkPermission, findOperator, type Operator } from './operator.ts'
import { hashShown, meetCondition, refuseCondition } from './seen.ts'
import type { CommandRow } from './surface/cli.ts'

/** A schema by its name in the OpenAPI document, out of a form that requests are checked with, or out of members. */
export interface Form {
  readonly name: string
  readonly make: (z: Z) => z.ZodType
}

export const makeForm = (name: string, make: Form['make']): Form => ({ name, make })

/** The form of a page of such items. */
export const pageOf = (name: string, item: Form['make']): Form => ({
  name,
  make: (z) => z.strictObject({ items: z.array(item(z)), next: z.string().nullable() }),
})

/** The same of a search. */
export const makeFoundPage = (name: string, item: Form['make']): Form => ({
  name,
  make: (z) =>
    z.strictObject({
      items: z.array(item(z)),
      next: z.string().nullable(),
      partial: z
        .literal(true)
        .optional()
        .describe('after an upgrade: some rows were not looked at yet'),
    }),
})

type Schema = (z: Z) => z.ZodType

export const text: Schema = (z) => z.string()
export const texts: Schema = (z) => z.array(z.string())
export const objects: Schema = (z) => z.array(z.record(z.string(), z.unknown()))
export const flag: Schema = (z) => z.boolean()
export const whole: Schema = (z) => z.int()
export const seconds: Schema = (z) => z.int().describe('unix seconds')
export const allowNull =
  (schema: Schema): Schema =>
  (z) =>
    schema(z).nullable()

/** The members of an answer once: the schema of each, and where its value is. */
export const mapAnswer = <Row extends object>(
  members: Readonly<Record<string, readonly [Schema, keyof Row | ((row: Row) => unknown)]>>,
) => {
  const entries = Object.entries(members)
  return {
    members,
    shape: (z: Z) => Object.fromEntries(entries.map(([name, [schema]]) => [name, schema(z)])),
    describe: (row: Row): Readonly<Record<string, unknown>> =>
      Object.fromEntries(
        entries.map(([name, [, of]]) => [name, typeof of === 'function' ? of(row) : row[of]]),
      ),
  }
}

type Filters = Readonly<Record<string, DescribedParameter>>

/** The parsed filters of a request. */
type Filtered<Of> = {
  readonly [Name in keyof Of]:
    | (Of[Name] extends ListFilter<infer Value> ? Value : never)
    | undefined
}

/** What an OpenAPI document says of a request. */
export interface DescribedRoute {
  /** The name that generated clients call. */
  readonly id: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  /** Null: no token of the admin API. */
  readonly permission: Permission | null
  readonly says: string
  /** A list has these beside `after` and `limit`, and knows no others. */
  readonly filters?: Filters
  readonly body?: {
    readonly form: Form
    /** A body that succeeds in the demo. */
    readonly example: Readonly<Record<string, unknown>>
    /** The request works without a body. */
    readonly optional?: true
  }
  /** The form of each success, by status; null = no body. */
  readonly answers: Readonly<Record<number, Form | null>>
}

/** A request of an operator who may do this. */
interface OperatorRequest<On, Of> {
  readonly exchange: Exchange
  readonly operator: Operator
  readonly on: On
  /** The subject, where `If-Match` named its state. The step changes it in no other one. */
  readonly seen: On | undefined
  readonly filters: Filtered<Of>
  /** Where a list goes on, as the query says it. */
  readonly query: Parameters
  readonly limit: number
  /** The body. */
  readonly given: Readonly<Record<string, unknown>>
  /** For one step of the store. */
  readonly trace: () => Trace
}

/** @throws Refusal `not_found` */
type Find<On> = (exchange: Exchange, parts: AdminNeeds, operator: Operator) => Promise<On> | On

type OperationRoute = `${DescribedRoute['method']} /admin/api/${string}`

interface OperationRow<On, Of extends Filters>
  extends Omit<DescribedRoute, 'id' | 'method' | 'path' | 'permission'> {
  readonly route: OperationRoute
  /** By default the path names it, with `read` for GET and `write` for every other method. */
  readonly permission?: Permission
  readonly commands?: CommandRow | readonly CommandRow[]
  readonly filters?: Of
  /** Finds what the path names, before the body is read. */
  readonly find?: Find<On>
  /** The subject as lists show it: of that JSON is its entity tag, for `If-Match`. */
  readonly shows?: (on: On, parts: AdminNeeds) => object
  /** The body of the answer. What was checked before a step and must still hold stands in the step. */
  readonly run: (asked: OperatorRequest<On, Of>, parts: AdminNeeds) => Promise<object | null>
  /** Names a member of the answer. The URL in `Location` ends with its value. */
  readonly madeAs?: string
  /** Picks one of several successes. */
  readonly status?: (said: object) => number
}

/** Its name in the table of operations is its id. */
export interface Operation<On = unknown> extends Omit<DescribedRoute, 'id'> {
  readonly permission: Permission
  readonly commands: readonly CommandRow[]
  /** Finds what the path names. */
  readonly find?: Find<On>
  /**
   * The step without a door, for an operator whose form was checked.
   *
   * `found`: the subject as the form was compared with it. Read again, it could have changed.
   */
  readonly perform: (
    asked: Pick<OperatorRequest<never, never>, 'exchange' | 'operator' | 'given'> & {
      readonly found?: object
    },
    parts: AdminNeeds,
  ) => Promise<object | null>
  /** The endpoint of the admin API. */
  readonly answer: (exchange: Exchange, parts: AdminNeeds) => Promise<Answer>
}

const noParameters = new Parameters(new Map())

const parseFilters = <Of extends Filters>(of: Of, query: Parameters): Filtered<Of> => {
  const parsed = Object.entries(of).map(([name, filter]) => {
    const given = query.find(name)
    return [name, given === null ? undefined : (filter as ListFilter<unknown>).parse(given, name)]
  })
  return Object.fromEntries(parsed) as Filtered<Of>
}

const makeLocation = (
  said: object,
  path: string,
  madeAs: string | undefined,
  { settings }: AdminNeeds,
) =>
  madeAs === undefined
    ? null
    : {
        Location: `${settings.issuer}${path}/${encodeURIComponent(String((said as Record<string, unknown>)[madeAs]))}`,
      }

const findPermission = (route: OperationRoute): Permission => {
  const [method, kind] = route.split(/ \/admin\/api\/|\//)
  const name = `${kind}:${method === 'GET' ? 'read' : 'write'}`
  const permission = adminPermissions.find((one) => one === name)
  if (permission === undefined) throw new Error(`${route} names no permission`)
  return permission
}

/**
 * Makes the endpoint of a row. The order holds everywhere: the operator, the subject of the path, the
 * query or the body, the step.
 */
export const defineRow = <On = null, const Of extends Filters = Record<never, never>>(
  row: OperationRow<On, Of>,
): Operation<On> => {
  const { route, find, filters, body, answers, run, shows, status, madeAs } = row
  const { permission = findPermission(route) } = row
  const [method, path] = route.split(' ') as [DescribedRoute['method'], string]
  const [success] = Object.keys(answers).map(Number)
  const runOn = (
    exchange: Exchange,
    operator: Operator,
    { on, seen }: Pick<OperatorRequest<On, Of>, 'on' | 'seen'>,
    query: Parameters,
    given: OperatorRequest<On, Of>['given'],
    parts: AdminNeeds,
  ): Promise<object | null> => {
    const filtered = parseFilters(filters ?? ({} as Of), query)
    const trace = () => traceOf(exchange, parts)
    const asked = { exchange, operator, on, seen, filters: filtered, query, given, trace }
    return run({ ...asked, limit: parseLimit(query) }, parts)
  }
  return {
    ...row,
    permission,
    commands: [row.commands ?? []].flat(),
    method,
    path,
    async perform({ exchange, operator, given, found }, parts) {
      checkPermission(operator, permission)
      const on = (found ?? (await find?.(exchange, parts, operator))) as On
      return runOn(exchange, operator, { on, seen: undefined }, noParameters, given, parts)
    },
    async answer(exchange, parts) {
      const operator = await findOperator(exchange, permission, parts)
      const on = (await find?.(exchange, parts, operator)) as On
      const shown = shows?.(on, parts)
      if (shown === undefined) refuseCondition(exchange.request)
      const isNamed = shown !== undefined && meetCondition(exchange.request, shown)
      const query =
        filters === undefined ? noParameters : readListQuery(exchange, Object.keys(filters))
      const read = body?.optional === true ? readOptionalJson : readJsonObject
      const given = body === undefined ? {} : await read(exchange.request)
      const subject = { on, seen: isNamed ? on : undefined }
      const said = await runOn(exchange, operator, subject, query, given, parts)
      if (said === null) return answerNothing()
      const headers =
        method === 'GET' && shown !== undefined
          ? { ETag: makeEntityTag(hashShown(shown)) }
          : makeLocation(said, path, madeAs, parts)
      return answerJson(said, status?.(said) ?? success, headers)
    },
  }
}
