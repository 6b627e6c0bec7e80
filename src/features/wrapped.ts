/** Secrets in rows of features, by the name under which `latchkey key rewrap` counts them. */
import { streamCredentials } from './signals/credentials.ts'

export const featureSecrets = { streams: streamCredentials } as const
