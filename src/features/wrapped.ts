/** Secrets in rows of features, by the name under which `latchkey key rewrap` counts them. */
import { signalSecrets } from './signals/credentials.ts'

export const featureSecrets = { ...signalSecrets } as const
