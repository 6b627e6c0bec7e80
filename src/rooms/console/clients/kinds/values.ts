/** The values of the form of a kind, and the members that follow from them. */
import { createClient } from '../../../../operations/client-changes.ts'
import { createResource } from '../../../../operations/resource-changes.ts'
import type { JsonRow } from '../../../../operations/surface/said.ts'
import type { Parameters } from '../../../../protocol/parameters.ts'
import { Refusal } from '../../../../protocol/refusal.ts'
import { type FormMember, makeMembers, parseMember } from '../../member.ts'
import type { ApplicationKind, ChoiceNeeds, KindField, KindWords } from './kind.ts'

/** The values of each field. A field of text has one. */
export type KindValues = Readonly<Record<string, readonly string[]>>

const ofClient = makeMembers([createClient], 'access_token_seconds')
const ofResource = makeMembers([createResource])

/** The member behind a field, with the kind of its value. */
export const getMember = ({ make }: ApplicationKind, { name }: KindField): FormMember => {
  const members = make === undefined ? ofClient() : ofResource()
  return members[name] ?? { name, kind: 'text', isNullable: false, about: '' }
}

export const listFields = (
  { fields, more }: ApplicationKind,
  needs: ChoiceNeeds,
): readonly KindField[] =>
  [...fields, ...more].filter(({ isOffered }) => isOffered?.(needs) ?? true)

/** The values of an empty form. */
export const makeValues = (fields: readonly KindField[]): KindValues =>
  Object.fromEntries(fields.map((field) => [field.name, field.is === 'typed' ? [] : field.begins]))

const refuse = (reason: string, says: string): Refusal =>
  new Refusal('invalid_request', reason, says)

/** The fields of one kind, and no others. Browsers end lines with a return and a line feed. */
export const readValues = (fields: readonly KindField[], sent: Parameters): KindValues =>
  Object.fromEntries(
    fields.map(({ name, is }) => {
      const values = sent.all(name).map((text) => text.replaceAll('\r\n', '\n').trim())
      return [name, is === 'some' ? values : values.slice(0, 1)]
    }),
  )

/** @throws Refusal `invalid_request` for a field of another form */
export const checkNames = (fields: readonly KindField[], sent: Parameters): void => {
  const names = ['csrf', ...fields.map(({ name }) => name)]
  if ([...sent.names()].every((name) => names.includes(name))) return
  throw refuse('unknown_field', 'the request has a field that this form does not show')
}

const parseField = (
  kind: ApplicationKind,
  field: KindField,
  values: readonly string[],
  choices: readonly string[],
): unknown => {
  const { name } = field
  const member = getMember(kind, field)
  if (field.is !== 'typed' && values.some((value) => !choices.includes(value))) {
    throw refuse('unknown_choice', `${name} has a choice that is not in the form (any more)`)
  }
  const [first = ''] = values
  if (first === '') {
    if (field.isNeeded !== true) return undefined
    throw refuse(
      'missing_field',
      `${name} ${field.is === 'typed' ? 'is needed' : 'needs a choice'}`,
    )
  }
  if (field.is !== 'some') return parseMember(first, member.kind, '\n')
  return member.kind === 'lines' ? values : values.join(' ')
}

/**
 * The body of the operation that creates it, as the admin API takes it.
 *
 * @throws Refusal `invalid_request` where a needed field is empty, or a choice is not on offer
 */
export const makeGiven = (
  kind: ApplicationKind,
  values: KindValues,
  needs: ChoiceNeeds,
  words: KindWords,
): JsonRow => {
  const given: Record<string, unknown> = { ...kind.settled }
  for (const field of listFields(kind, needs)) {
    const choices =
      field.is === 'typed' ? [] : field.choices(needs, words).map(({ value }) => value)
    const value = parseField(kind, field, values[field.name] ?? [], choices)
    if (value === undefined) continue
    const before = given[field.name]
    given[field.name] =
      Array.isArray(before) && Array.isArray(value) ? [...before, ...value] : value
  }
  return given
}
