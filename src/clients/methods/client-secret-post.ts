/** `client_secret_post`: id and secret as parameters of the body (RFC 6749 section 2.3.1). */
import { type ClientMethod, missingClientId } from './method.ts'
import { presentSecret } from './secret.ts'

export const clientSecretPost: ClientMethod = {
  name: 'client_secret_post',
  place: 'client_secret',
  alsoFor: ['client_secret_basic'],
  issues: 'secret',
  lacks: () => null,
  read(_request, parameters) {
    const secret = parameters.find('client_secret')
    if (secret === null) return null
    const id = parameters.find('client_id')
    return id === null ? missingClientId() : presentSecret(id, secret)
  },
}
