/** The settings of the features. */
import { issuerSettings } from './trusted-issuers/setting.ts'

export const featureSettings = { ...issuerSettings } as const
