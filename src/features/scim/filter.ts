/** Filters (RFC 7644 section 3.4.2.2), parsed strictly: `userName eq "a" and not (emails[type eq "work"])`. */
import { badFilter } from './errors.ts'
import { scimLimits } from './limits.ts'
import {
  type Attribute,
  type AttributePlace,
  findAttribute,
  findPlace,
  type ResourceKind,
} from './schema.ts'

const operators = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'] as const
type Comparison = (typeof operators)[number]

type FilterValue = string | boolean | null

export type ScimFilter =
  | { readonly kind: 'and' | 'or'; readonly parts: readonly ScimFilter[] }
  | { readonly kind: 'not'; readonly part: ScimFilter }
  /** `pr`: whether there is a value. */
  | { readonly kind: 'present'; readonly place: AttributePlace }
  | {
      readonly kind: 'compare'
      readonly place: AttributePlace
      readonly operator: Comparison
      readonly value: FilterValue
    }
  /** One value of a list meets the filter as a whole. */
  | { readonly kind: 'values'; readonly attribute: Attribute; readonly filter: ScimFilter }

/** Finds what a name in a filter means; null for a name of nothing. */
type FindIn = (name: string) => AttributePlace | null

interface Token {
  readonly text: string
  readonly at: number
}

/** Each character has one place only in it. */
const lexer = /\s+|[()[\]]|"(?:[^"\\]|\\.)*"|[^\s()[\]"]+/gsy

const splitTokens = (text: string): readonly Token[] => {
  const tokens: Token[] = []
  let at = 0
  for (const { 0: token, index } of text.matchAll(lexer)) {
    if (index !== at) break
    at += token.length
    if (token.trim() !== '') tokens.push({ text: token, at: index })
  }
  if (at === text.length) return tokens
  throw badFilter(`the filter has a text without an end at character ${at + 1}`)
}

const isOperator = (word: string): word is Comparison => operators.some((one) => one === word)

/** A value as its attribute has it. Some directories write a boolean as a text. */
const readValue = (token: string, { type, name }: Attribute): FilterValue => {
  let value: unknown
  try {
    value = JSON.parse(token)
  } catch {
    throw badFilter(`${name} is compared with what is no JSON value: put texts in double quotes`)
  }
  if (value === null) return null
  if (type === 'boolean') {
    const word = String(value).toLowerCase()
    if (word === 'true' || word === 'false') return word === 'true'
    throw badFilter(`${name} has to be compared with true or false`)
  }
  if (typeof value !== 'string') throw badFilter(`${name} has to be compared with a text`)
  if (value.includes('\0')) throw badFilter(`${name} never has the character U+0000`)
  if (type === 'dateTime' && Number.isNaN(Date.parse(value))) {
    throw badFilter(`${name} has to be compared with a time such as "2026-01-31T10:00:00Z"`)
  }
  return value
}

/** The part that is compared: of a list of objects, `value` stands for each. */
const findCompared = (place: AttributePlace): Attribute => {
  const { attribute, sub } = place
  if (sub !== null) return sub
  if (attribute.type !== 'complex') return attribute
  const value = attribute.multiValued && findAttribute('value', attribute.subAttributes)
  if (value) return value
  throw badFilter(`${attribute.name} has parts: compare one of them, such as name.familyName`)
}

class Parser {
  readonly #tokens: readonly Token[]
  readonly #end: number
  #next = 0
  #terms = 0
  #depth = 0

  constructor(text: string) {
    this.#tokens = splitTokens(text)
    this.#end = text.length
  }

  #peek(): string {
    return this.#tokens[this.#next]?.text ?? ''
  }

  #isWord(word: string): boolean {
    return this.#peek().toLowerCase() === word
  }

  #take(): string {
    const text = this.#peek()
    this.#next += 1
    return text
  }

  #fail(expected: string): never {
    const at = this.#tokens[this.#next]?.at ?? this.#end
    throw badFilter(`the filter needs ${expected} at character ${at + 1}`)
  }

  #expect(text: string): void {
    if (this.#peek() !== text) this.#fail(`"${text}"`)
    this.#next += 1
  }

  #list(kind: 'and' | 'or', parse: () => ScimFilter): ScimFilter {
    const parts = [parse()]
    while (this.#isWord(kind)) {
      this.#next += 1
      parts.push(parse())
    }
    const [only] = parts
    return parts.length === 1 && only !== undefined ? only : { kind, parts }
  }

  /** `and` binds closer than `or`. */
  #any(find: FindIn): ScimFilter {
    this.#depth += 1
    if (this.#depth > scimLimits.filterDepth) {
      throw badFilter(`the filter nests deeper than ${scimLimits.filterDepth}`)
    }
    const filter = this.#list('or', () => this.#list('and', () => this.#part(find)))
    this.#depth -= 1
    return filter
  }

  #part(find: FindIn): ScimFilter {
    const isNot = this.#isWord('not') && this.#tokens[this.#next + 1]?.text === '('
    if (isNot) this.#next += 1
    if (this.#peek() !== '(') return this.#term(find)
    this.#next += 1
    const part = this.#any(find)
    this.#expect(')')
    return isNot ? { kind: 'not', part } : part
  }

  #term(find: FindIn): ScimFilter {
    this.#terms += 1
    if (this.#terms > scimLimits.filterTerms) {
      throw badFilter(`the filter has more than ${scimLimits.filterTerms} comparisons`)
    }
    if (!/^[A-Za-z$]/.test(this.#peek())) this.#fail('the name of an attribute')
    const place = find(this.#peek())
    if (place === null) this.#fail('the name of an attribute that is kept, as /Schemas lists them,')
    this.#next += 1
    return this.#peek() === '[' ? this.#values(place) : this.#compare(place)
  }

  #compare(place: AttributePlace): ScimFilter {
    const word = this.#peek().toLowerCase()
    if (word === 'pr') {
      this.#next += 1
      return { kind: 'present', place }
    }
    if (!isOperator(word)) this.#fail(`one of ${operators.join(', ')} and pr`)
    this.#next += 1
    const compared = findCompared(place)
    if (this.#peek() === '' || /^[()[\]]$/.test(this.#peek())) this.#fail('a value')
    const value = readValue(this.#take(), compared)
    const isEqual = word === 'eq' || word === 'ne'
    if (!isEqual && (value === null || compared.type === 'boolean')) {
      throw badFilter(`${compared.name} can be compared with this value by eq and ne alone`)
    }
    return { kind: 'compare', place, operator: word, value }
  }

  /** `emails[type eq "work"]`; some directories go on with `.value eq "..."`. */
  #values({ attribute, sub }: AttributePlace): ScimFilter {
    if (!attribute.multiValued || sub !== null) this.#fail('no "[" here: only lists have values')
    const filter = this.bracketed(attribute)
    if (!this.#peek().startsWith('.')) return { kind: 'values', attribute, filter }
    const behind = findSub(this.#peek().slice(1), attribute)
    if (behind === null) this.#fail(`a part of ${attribute.name}`)
    this.#next += 1
    const parts = [filter, this.#compare(behind)]
    return { kind: 'values', attribute, filter: { kind: 'and', parts } }
  }

  bracketed(attribute: Attribute): ScimFilter {
    this.#expect('[')
    const filter = this.#any((name) => findSub(name, attribute))
    this.#expect(']')
    return filter
  }

  whole(find: FindIn): ScimFilter {
    const filter = this.#any(find)
    this.finish('the end, "and" or "or"')
    return filter
  }

  finish(expected: string): void {
    if (this.#next < this.#tokens.length) this.#fail(expected)
  }
}

/** A part of a value, as the filter of a value names it. */
const findSub = (name: string, { subAttributes }: Attribute): AttributePlace | null => {
  const attribute = findAttribute(name, subAttributes)
  return attribute === undefined ? null : { attribute, sub: null }
}

const checkLength = (text: string): void => {
  if (text.length > scimLimits.filterCharacters) {
    throw badFilter(`the filter is longer than ${scimLimits.filterCharacters} characters`)
  }
}

/** @throws Refusal `invalidFilter` */
export const parseFilter = (text: string, kind: ResourceKind): ScimFilter => {
  checkLength(text)
  return new Parser(text).whole((name) => findPlace(name, kind))
}

/** The filter of the values of one attribute, with its brackets. @throws Refusal `invalidFilter` */
export const parseValueFilter = (text: string, attribute: Attribute): ScimFilter => {
  checkLength(text)
  const parser = new Parser(text)
  const filter = parser.bracketed(attribute)
  parser.finish('the end')
  return filter
}
