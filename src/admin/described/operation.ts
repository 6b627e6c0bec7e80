/** How a route is described for OpenAPI: a row of a table beside the routes. */
import type { z } from 'zod'
import type { Permission } from '../../model/resource.ts'
import type { Z } from '../../protocol/schema.ts'

/** Part of a JSON Schema, as it is written. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** A schema out of a form that requests are checked with, or out of members. */
export type Form = (z: Z) => z.ZodType

export interface DescribedParameter {
  readonly description: string
  readonly schema: JsonSchema
  readonly example: string | number
}

export interface DescribedBody {
  /** A name in `components.schemas`. */
  readonly form: string
  /** A body that succeeds in the demo. */
  readonly example: JsonSchema
  /** The request works without a body. */
  readonly optional?: true
}

export interface Operation {
  /** The name that generated clients call. */
  readonly id: string
  readonly summary: string
  /** The scope that it needs; null = no token of the admin API. */
  readonly scope: Permission | null
  readonly query?: Readonly<Record<string, DescribedParameter>>
  readonly body?: DescribedBody
  /** The schema of each success, by status; null = no body. */
  readonly answers: Readonly<Record<number, string | null>>
}

/** Operations by method and path, as in `routes.ts`: `GET /admin/api/clients/:client_id`. */
export type Operations = Readonly<Record<string, Operation>>

/** Schemas by name. */
export type Forms = Readonly<Record<string, Form>>
