/** The members of a resource as the fields of a form: what is typed becomes JSON, and back. */
import { describeResource } from '../config/resources.ts'
import type { Resource } from '../model/resource.ts'
import type { MemberKind } from '../protocol/members.ts'
import type { Parameters } from '../protocol/parameters.ts'

/** `worded`: a text, or JSON with a text per language. */
const members = {
  name: 'text',
  title: 'worded',
  read: 'worded',
  write: 'worded',
  actions: 'json',
  destructive: 'lines',
  uri: 'text',
  access_token_format: 'text',
  introspection_clients: 'lines',
} as const

export const resourceFields = Object.keys(members) as readonly (keyof typeof members)[]

/** How a field is drawn, and whether it takes a text per language. */
export const resourceFieldKind = (
  name: keyof typeof members,
): { readonly kind: MemberKind; readonly isWorded: boolean } => {
  const kind = members[name]
  return kind === 'worded' ? { kind: 'text', isWorded: true } : { kind, isWorded: false }
}

export type ResourceTexts = Readonly<Record<string, string>>

const written = (value: unknown): string => {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.join('\n')
  if (typeof value !== 'object') return String(value)
  return Object.keys(value).length === 0 ? '' : JSON.stringify(value)
}

export const resourceTexts = (resource: Resource): ResourceTexts => {
  const described: Readonly<Record<string, unknown>> = describeResource(resource)
  return Object.fromEntries(resourceFields.map((name) => [name, written(described[name])]))
}

/** The fields as a browser sent them. */
export const typedResource = (form: Parameters): ResourceTexts =>
  Object.fromEntries(
    resourceFields.map((name) => [name, (form.find(name) ?? '').replaceAll('\r\n', '\n').trim()]),
  )

/** A text that is no JSON stays a text: the rules of the admin API refuse it. */
const jsonIn = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

const typedMember = (name: keyof typeof members, text: string): unknown => {
  switch (members[name]) {
    case 'lines':
      return text.split(/\s+/).filter((entry) => entry !== '')
    case 'json':
      return text === '' ? {} : jsonIn(text)
    case 'worded':
      return text.startsWith('{') ? jsonIn(text) : text
    case 'text':
      return text
  }
}

/** A new resource: empty fields are left out. */
export const newResourceIn = (typed: ResourceTexts): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    resourceFields
      .filter((name) => (typed[name] ?? '') !== '')
      .map((name) => [name, typedMember(name, typed[name] ?? '')]),
  )

/** The members with another value than before. */
export const resourceChangesIn = (
  typed: ResourceTexts,
  before: ResourceTexts,
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    resourceFields
      .filter((name) => name !== 'name' && typed[name] !== before[name])
      .map((name) => {
        const text = typed[name] ?? ''
        return [name, name === 'uri' && text === '' ? null : typedMember(name, text)]
      }),
  )
