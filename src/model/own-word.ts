/** Words of a scope that the operator adds. They tell claims from the attributes of owners. */
import type { Text } from './language.ts'

declare const own: unique symbol
/** A word of the setting `claims`, such as `groups`. */
export type OwnWord = string & { readonly [own]: true }

/** What a word of the operator's own asks for. */
export interface OwnClaims {
  readonly word: OwnWord
  /** Each is the member of the attributes with its name. */
  readonly claims: readonly string[]
  /** In lists, such as of what happened. */
  readonly title: Text
  /** What it lets an application do; null = it sees the title. */
  readonly text: Text | null
}
