/** What the consent page asks for: a cell for each permission and for each word about the owner. */
import type { Authorization } from '../../../model/authorization.ts'
import type { Harm } from '../../../model/resource.ts'
import type { ScopeWord } from '../../../model/scope-word.ts'
import type { ResourceRow } from '../../../paper/resource-row.ts'

export interface ConsentCell {
  /** As in a scope: `photos:read`. */
  readonly permission: string
  readonly text: string
  /** Whether this request asks for it; what is not asked cannot be ticked. */
  readonly asked: boolean
  /** The application cannot work without it, so it cannot be unticked. */
  readonly required: boolean
  readonly allowedBefore: Pick<Authorization, 'duration' | 'expiresAt'> | null
  /** The approval stands until taken back and is asked again beside something new: it goes along. */
  readonly settled: boolean
  /** Why it is marked; null for what can be undone. */
  readonly harm?: Harm | null
}

/** What a word of the scope lets the application know. */
export interface AboutCell extends ConsentCell {
  /** The claims it would see; null if the word itself says all. */
  readonly values: readonly { readonly label: string; readonly value: string }[] | null
}

/** The requested permissions, with those that were allowed before. */
export interface AskedPermissions {
  readonly rows: readonly ResourceRow<ConsentCell>[]
  /** What it may know of the owner. */
  readonly about: readonly {
    readonly word: ScopeWord
    readonly title: string
    readonly cell: AboutCell
  }[]
}
