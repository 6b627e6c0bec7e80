/** The client authentication methods of the service; a further one is one file and one line. */
import { clientSecretBasic, clientSecretPost, none } from './client-secret.ts'
import { clientSecretJwt } from './client-secret-jwt.ts'
import type { ClientMethod } from './method.ts'
import { privateKeyJwt } from './private-key-jwt.ts'
import { selfSignedTlsClientAuth, tlsClientAuth } from './tls-client-auth.ts'

export const clientMethods: readonly ClientMethod[] = [
  clientSecretBasic,
  clientSecretPost,
  clientSecretJwt,
  privateKeyJwt,
  tlsClientAuth,
  selfSignedTlsClientAuth,
  none,
]
