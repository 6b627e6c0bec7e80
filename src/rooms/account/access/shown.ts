/** What the page of one application shows. */
import type { Authorization, Pause } from '../../../model/authorization.ts'
import type { ScopeWord } from '../../../model/scope-word.ts'
import type { UseDay } from '../../../model/use.ts'
import type { Provenance } from '../../../paper/provenance.ts'
import type { ResourceRow } from '../../../paper/resource-row.ts'
import type { AccountPageGiven } from '../frame.ts'
import type { LedgerLine } from '../ledger/page.ts'

/** A permission that the application has. */
export interface AccessCell {
  readonly permission: string
  readonly text: string
  /** The permission cannot be unticked by itself. */
  readonly isFixed?: boolean
  /** Marked, since it cannot be undone or costs money. */
  readonly isDestructive?: boolean
}

/** One word, shown as one row. */
export interface AboutRow<Cell> {
  readonly word: ScopeWord
  readonly cell: Cell
}

/** Another access of the same application. */
export interface OtherAccess {
  readonly id: string
  /** Unix seconds. */
  readonly createdAt: number
  /** Null = never. */
  readonly lastUsedAt: number | null
}

export interface AccessDone {
  readonly what: 'narrowed' | 'until' | 'paused' | 'resumed'
  /** The permissions that were taken away, in plain words. */
  readonly lost: readonly string[]
}

export interface AccessPage extends AccountPageGiven, Provenance {
  readonly id: string
  readonly clientId: string
  readonly clientName: string
  readonly clientDisabled: boolean
  readonly logoPath: string | null
  /** What the client registered. */
  readonly registration: {
    /** Unix seconds. */
    readonly createdAt: number
    readonly policyUri: string | null
    readonly termsUri: string | null
  }
  readonly paused: Pause | null
  readonly rows: readonly ResourceRow<AccessCell>[]
  /** What it may know of its owner. */
  readonly about: readonly AboutRow<AccessCell>[]
  readonly duration: Authorization['duration']
  /** Unix seconds, like all that follow. */
  readonly createdAt: number
  /** Null = without an end. */
  readonly expiresAt: number | null
  readonly lastUsedAt: number | null
  /** The day of the end, such as `2026-11-21`; '' where there is none. */
  readonly lastDay: string
  /** The first and the last day that may be chosen for the end. */
  readonly days: { readonly first: string; readonly last: string }
  /** A day that was typed and cannot be the end; null without one. */
  readonly badEnd: string | null
  readonly others: readonly OtherAccess[]
  /** How many installations of the application have access. */
  readonly installations: number
  readonly now: number
  /** How many days the drawing of uses reaches back, and the uses of each day. */
  readonly drawnDays: number
  readonly counted: readonly UseDay[]
  /** The latest first. */
  readonly uses: readonly LedgerLine[]
  readonly done?: AccessDone | null
}
