/** What the page of one application shows. */

import type { ConsoleRole } from '../../../model/owner.ts'
import type { ScopeWord } from '../../../model/scope-word.ts'
import type { UseDay } from '../../../model/use.ts'
import type { DetailLine } from '../../../paper/detail.ts'
import type { AllowedAccess, Provenance } from '../../../paper/provenance.ts'
import type { ResourceRow } from '../../../paper/resource-row.ts'
import type { ListedAuthorization } from '../../../store/contract/authorization.ts'
import type { Branch } from '../branches.ts'
import type { AccountPageGiven } from '../frame.ts'
import type { LedgerLine } from '../ledger/lines.ts'
import type { accessWords } from './words.ts'

export type AccessWords = ReturnType<typeof accessWords>

export interface AccessCell {
  readonly permission: string
  readonly text: string
  /** The permission cannot be unticked by itself. */
  readonly isFixed?: boolean
  readonly isDestructive?: boolean
}

export interface AccessDone {
  readonly what: 'narrowed' | 'until' | 'paused' | 'resumed'
  readonly lost: readonly string[]
  /** The end before, as a form names it; '' or absent for none that a form can set. */
  readonly before?: string
}

/** Times are unix seconds. */
export interface AccessPage
  extends AccountPageGiven,
    Provenance,
    AllowedAccess,
    Pick<ListedAuthorization, 'clientName' | 'parentClientName' | 'clientDisabled' | 'paused'>,
    Pick<ListedAuthorization, 'duration' | 'parentId'>,
    Pick<ListedAuthorization, 'createdAt' | 'expiresAt' | 'lastUsedAt'> {
  readonly id: string
  readonly clientId: string
  /** For the command line: the role of its owner, which is all that it may do. */
  readonly actsAs?: ConsoleRole | null
  /** The application of the owner's approval: this one, or the root of its tree. */
  readonly approvedName: string
  readonly logoPath: string | null
  readonly registration: {
    readonly createdAt: number
    readonly policyUri: string | null
    readonly termsUri: string | null
  }
  readonly rows: readonly ResourceRow<AccessCell>[]
  readonly about: readonly { readonly word: ScopeWord; readonly cell: AccessCell }[]
  /** What its owner approved in detail, each with the value of its box. */
  readonly details?: readonly (DetailLine & { readonly key: string })[]
  /** The day of the end, such as `2026-11-21`; '' where there is none. */
  readonly lastDay: string
  readonly days: { readonly first: string; readonly last: string }
  /** A day that was typed and cannot be the end; null without one. */
  readonly badEnd: string | null
  readonly others: readonly Pick<AccessPage, 'id' | 'createdAt' | 'lastUsedAt'>[]
  readonly installations: number
  /** The applications that act for it. */
  readonly branches: readonly Branch[]
  readonly now: number
  /** How many days the drawing of uses reaches back, and the uses of each day. */
  readonly drawnDays: number
  readonly counted: readonly UseDay[]
  readonly uses: readonly LedgerLine[]
  readonly done?: AccessDone | null
}
