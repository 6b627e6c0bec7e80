/** The settings of the features. */
import { issuerSettings } from './trusted-issuers/settings.ts'

export const featureSettings = { ...issuerSettings } as const
