/** The client authentication methods of the service; a further one is one file and one line. */
import { clientSecretBasic, clientSecretPost, none } from './client-secret.ts'
import type { ClientMethod } from './method.ts'

export const clientMethods: readonly ClientMethod[] = [clientSecretBasic, clientSecretPost, none]
