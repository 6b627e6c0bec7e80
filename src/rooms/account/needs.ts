/** The parts that the account is opened with, and the type of each opener. */
import type { Resources } from '../../access/resources.ts'
import type { Keyring } from '../../crypto/seal.ts'
import type { Vault } from '../../crypto/wrap.ts'
import type { Uses } from '../../events/uses.ts'
import type { Tell } from '../../model/notice.ts'
import type { PasswordParts } from '../../owners/password-login.ts'
import type { RouteRow } from '../../route.ts'
import type { Upstreams } from '../../upstreams/index.ts'
import type { Pages, PagesNeeds } from '../pages.ts'

export interface AccountNeeds extends PagesNeeds, PasswordParts {
  readonly keyring: Keyring
  readonly vault: Vault
  readonly uses: Uses
  readonly resources: Resources
  readonly upstreams: Upstreams
  readonly tell: Tell
}

export type OpenPage = (needs: AccountNeeds, pages: Pages) => readonly RouteRow[]
