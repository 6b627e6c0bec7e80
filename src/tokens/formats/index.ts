/** The token formats of the service; a further one is one file and one entry. */

import type { TokenFormat } from './format.ts'
import { jwt } from './jwt.ts'
import { opaque } from './opaque.ts'

export const tokenFormats: readonly TokenFormat[] = [opaque, jwt]
