/** The parts that the account is opened with, and the type of each opener. */
import type { Resources } from '../../access/known-resources.ts'
import type { Settings } from '../../config/settings.ts'
import type { Passwords } from '../../crypto/password.ts'
import type { Keyring } from '../../crypto/seal.ts'
import type { Vault } from '../../crypto/wrap.ts'
import type { Uses } from '../../events/uses.ts'
import type { Clock, Random } from '../../model/ids.ts'
import type { Language } from '../../model/language.ts'
import type { Tell } from '../../model/notice.ts'
import type { Tries } from '../../owners/tries.ts'
import type { RouteRow } from '../../route.ts'
import type { Store } from '../../store/store.ts'
import type { Upstreams } from '../../upstreams/index.ts'
import type { Pages } from '../pages.ts'

export interface AccountNeeds {
  readonly settings: Settings
  readonly languages: readonly Language[]
  readonly store: Store
  readonly clock: Clock
  readonly random: Random
  readonly keyring: Keyring
  readonly vault: Vault
  readonly passwords: Passwords
  readonly tries: Tries
  readonly uses: Uses
  readonly resources: Resources
  readonly upstreams: Upstreams
  readonly tell: Tell
}

export type OpenPage = (needs: AccountNeeds, pages: Pages) => readonly RouteRow[]
