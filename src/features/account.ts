/** What features say on the account page. */
import type { FindAccountNote } from '../rooms/account/needs.ts'
import { findRequestsNote } from './backchannel/note.ts'
import { findIssuersNote } from './trusted-issuers/note.ts'

export const accountNotes: readonly FindAccountNote[] = [findRequestsNote, findIssuersNote]
