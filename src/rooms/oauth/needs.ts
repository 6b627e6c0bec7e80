/** What the authorization server needs: the room is opened once from it. */

import type { Resources } from '../../access/resources.ts'
import type { Authentication } from '../../clients/authenticate.ts'
import type { Documents } from '../../clients/documents.ts'
import type { ClientKeys } from '../../clients/keys.ts'
import type { Logos } from '../../clients/logos.ts'
import type { Sectors } from '../../clients/sector.ts'
import type { RequestObjects } from '../../clients/sites.ts'
import type { Settings } from '../../config/settings.ts'
import type { Passwords } from '../../crypto/password.ts'
import type { Keyring } from '../../crypto/seal.ts'
import type { RefusalCounter } from '../../events/refusal-counter.ts'
import type { RefusalKeeper } from '../../events/refusal-keeper.ts'
import type { Uses } from '../../events/uses.ts'
import type { Given } from '../../model/ids.ts'
import type { Language } from '../../model/language.ts'
import type { Meter } from '../../model/metric.ts'
import type { Tell } from '../../model/notice.ts'
import type { Subjects } from '../../owners/pairwise-secret.ts'
import type { Tries } from '../../owners/tries.ts'
import type { Registries } from '../../registries.ts'
import type { Store } from '../../store/store.ts'
import type { Signer } from '../../tokens/keys/signing.ts'
import type { RevocationFeed } from '../../tokens/revocation-feed.ts'
import type { Tokens } from '../../tokens/tokens.ts'

export interface OauthNeeds extends Given {
  readonly settings: Settings
  readonly languages: readonly Language[]
  readonly store: Store
  readonly keyring: Keyring
  readonly signer: Signer
  readonly subjects: Subjects
  readonly passwords: Passwords
  readonly tries: Tries
  readonly uses: Uses
  readonly resources: Resources
  readonly tokens: Tokens
  readonly revocationFeed: RevocationFeed
  readonly documents: Documents
  readonly clientKeys: ClientKeys
  readonly requestObjects: RequestObjects
  readonly refusedObjects: RefusalCounter
  readonly refusals: RefusalKeeper
  readonly sectors: Sectors
  readonly logos: Logos
  readonly meter: Meter
  readonly tell: Tell
  readonly registries: Registries
}

/** The same for endpoints where clients authenticate. */
export type ClientNeeds = OauthNeeds & Authentication
