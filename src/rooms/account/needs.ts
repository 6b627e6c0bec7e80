/** What the account takes of the service, and the type of each opener. */
import type { SituationParts } from '../../journey/situation.ts'
import type { PasswordParts } from '../../owners/password-login.ts'
import type { Markup } from '../../paper/markup.ts'
import type { ServiceParts } from '../../registries.ts'
import type { RouteRow } from '../../route.ts'
import type { OwnerVisit } from '../owner-visit.ts'
import type { Pages, PagesNeeds } from '../pages.ts'

export type AccountNeeds = PagesNeeds &
  PasswordParts &
  Pick<ServiceParts, 'keyring' | 'vault' | 'uses' | 'upstreams' | 'faces' | 'tell'> &
  SituationParts

export type OpenPage = (needs: AccountNeeds, pages: Pages) => readonly RouteRow[]

/** What a feature says on the account page; null for nothing. */
export type FindAccountNote = (visit: OwnerVisit, needs: AccountNeeds) => Promise<Markup | null>
