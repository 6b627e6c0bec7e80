/** The interface of a kind of application: its defaults, its fields, and the code to begin with. */
import type { Language } from '../../../../model/language.ts'
import type { JsonRow } from '../../../../operations/surface/said.ts'
import type { IconName } from '../../../../paper/icon.ts'
import type { Content } from '../../../../paper/markup.ts'
import type { View } from '../../../../paper/view.ts'
import type { Console, ConsoleNeeds, ConsoleVisit } from '../../visit.ts'
import type { consoleKindsWords } from './words.ts'

export type KindWords = ReturnType<typeof consoleKindsWords>
type KindName = keyof KindWords['kinds']
/** The member of the admin API, and the label of its field. */
export type KindMember = keyof KindWords['fields']

export interface KindChoice {
  readonly value: string
  readonly text: Content
  /** The legend over this choice and the others of its group. */
  readonly group?: string
}

/** The parts that choices are made from. */
export interface ChoiceNeeds {
  readonly resources: Pick<ConsoleNeeds['resources'], 'list'>
  readonly settings: Pick<ConsoleNeeds['settings'], 'claims'>
  readonly registries: Pick<ConsoleNeeds['registries'], 'clientMethods'>
  readonly language: Language
}

/** `one`: radio buttons. `some`: checkboxes. `typed`: the member itself says which input. */
export type KindField = {
  readonly name: KindMember
  readonly isNeeded?: true
  /** Shown only while a method with a key, or with the name of a certificate, is chosen. */
  readonly of?: 'key' | 'certificate'
  readonly isOffered?: (needs: ChoiceNeeds) => boolean
} & (
  | { readonly is: 'typed' }
  | {
      readonly is: 'one' | 'some'
      /** The values that are chosen at first. */
      readonly begins: readonly string[]
      readonly choices: (needs: ChoiceNeeds, words: KindWords) => readonly KindChoice[]
    }
)

/** An application that was just made, as its code names it. */
export interface MadeApplication {
  readonly issuer: string
  /** The URL for clients with a certificate. */
  readonly mtlsUrl: string
  readonly id: string
  readonly method: string
  readonly redirectUri: string
  readonly scope: string
  /** The API or MCP server: the `uri` of its resource. */
  readonly uri: string
  /** The name of that resource. */
  readonly resource: string
}

/** Code to begin with. The code has no secret: the environment variable `CLIENT_SECRET` does. */
export interface Snippet {
  /** Packages to install; null where none is needed. */
  readonly install: string | null
  readonly file: string
  readonly code: string
  /** The program asks its user for the secret. */
  readonly secretIsAskedFor?: true
}

export interface ApplicationKind {
  readonly name: KindName
  readonly icon: IconName
  /** Members that this kind decides. A list takes further entries of its field. */
  readonly settled: JsonRow
  readonly fields: readonly KindField[]
  /** Fields behind "More". */
  readonly more: readonly KindField[]
  /** Stands above the form. */
  readonly above?: (view: View, needs: ConsoleNeeds, words: KindWords) => Content
  /** Where more than a client is made: answers with the client. */
  readonly make?: (
    given: JsonRow,
    visit: ConsoleVisit,
    perform: Console['perform'],
  ) => Promise<JsonRow>
  readonly snippet: (made: MadeApplication) => Snippet
}
