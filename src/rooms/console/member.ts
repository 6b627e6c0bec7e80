/** The members of the forms of operations: their kinds follow from the schemas. What is typed becomes members, and back. */
import { isObject, parseJson } from '../../model/json.ts'
import type { JsonSchema } from '../../operations/lists.ts'
import type { Operation } from '../../operations/operation.ts'
import { readNumber } from '../../operations/surface/cli.ts'
import { makeSchema } from '../../protocol/schema.ts'

/** `lines`: one entry on each. `worded`: a text, or JSON with a text per language. */
type MemberKind = 'text' | 'worded' | 'lines' | 'number' | 'unlimited' | 'flag' | 'json' | 'object'

export interface FormMember {
  readonly name: string
  readonly kind: MemberKind
  readonly isNullable: boolean
  /** English, as the admin API says it. */
  readonly about: string
}

const isOfObjects = ({ items }: JsonSchema): boolean =>
  isObject(items) && (items.type ?? null) === 'object'

const getKind = ({ type, anyOf = [], ...schema }: JsonSchema): MemberKind => {
  const every = anyOf as readonly JsonSchema[]
  if ([schema, ...every].some(isOfObjects)) return 'json'
  const types = [type ?? every.map((one) => one.type)].flat()
  if (types.includes('string')) return types.includes('object') ? 'worded' : 'text'
  const kinds = { array: 'lines', integer: 'number', boolean: 'flag', object: 'object' } as const
  const named = (Object.keys(kinds) as (keyof typeof kinds)[]).find((one) => types.includes(one))
  return named === undefined ? 'json' : kinds[named]
}

/**
 * The members of the forms of operations.
 *
 * @param unlimited its null stands for no limit
 */
export const makeMembers = (operations: readonly Operation[], unlimited?: string) =>
  makeSchema((z): Readonly<Record<string, FormMember>> => {
    const options = { io: 'input', unrepresentable: 'any' } as const
    const forms = operations.flatMap(({ body }) => body?.form ?? [])
    const shapes = forms.map(({ make }) => z.toJSONSchema(make(z), options).properties ?? {})
    const entries = shapes.flatMap((shape) => Object.entries(shape as Record<string, JsonSchema>))
    return Object.fromEntries(
      entries.map(([name, schema]): [string, FormMember] => {
        const isNullable = JSON.stringify([schema.type, schema.anyOf]).includes('"null"')
        const kind = name === unlimited ? 'unlimited' : getKind(schema)
        return [name, { name, kind, isNullable, about: String(schema.description ?? '') }]
      }),
    )
  })

export const formatMember = (value: unknown, kind: MemberKind): string => {
  if (kind === 'unlimited' && value === null) return 'unlimited'
  if (value === undefined || value === null) return ''
  if (kind === 'flag') return value === true ? '1' : ''
  if (kind === 'json') return JSON.stringify(value, null, 2)
  if (Array.isArray(value)) return value.join('\n')
  if (typeof value !== 'object') return String(value)
  return Object.keys(value).length === 0 ? '' : JSON.stringify(value)
}

const parseJsonOrText = (text: string): unknown => {
  const value = parseJson(text)
  return value === undefined ? text : value
}

/** A value that breaks a rule stays as it is: the rules of the admin API refuse it. */
export const parseMember = (
  text: string,
  kind: MemberKind,
  separator: string | RegExp,
): unknown => {
  switch (kind) {
    case 'lines':
      return text.split(separator).flatMap((line) => (line.trim() === '' ? [] : [line.trim()]))
    case 'flag':
      return text === '1'
    case 'unlimited':
      return text === 'unlimited' ? null : readNumber(text)
    case 'number':
      return readNumber(text)
    case 'json':
      return parseJsonOrText(text)
    case 'object':
      return text === '' ? {} : parseJsonOrText(text)
    case 'worded':
      return text.startsWith('{') ? parseJsonOrText(text) : text
    case 'text':
      return text
  }
}
