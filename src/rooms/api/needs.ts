/** What the built-in API needs: the room is opened once from it. */

import type { Resources } from '../../access/resources.ts'
import type { Settings } from '../../config/settings.ts'
import type { Uses } from '../../events/uses.ts'
import type { Given } from '../../model/ids.ts'
import type { Meter } from '../../model/metric.ts'
import type { Store } from '../../store/store.ts'
import type { Signer } from '../../tokens/keys/signing.ts'
import type { Tokens } from '../../tokens/tokens.ts'

export interface ApiNeeds extends Given {
  readonly settings: Settings
  readonly store: Store
  readonly signer: Signer
  readonly resources: Resources
  readonly tokens: Tokens
  readonly uses: Uses
  readonly meter: Meter
}
