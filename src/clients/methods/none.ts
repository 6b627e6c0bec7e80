/** `none`: a public client names itself and proves nothing (RFC 6749 section 2.1). */
import { publicMethod } from '../../model/client.ts'
import type { ClientMethod } from './method.ts'

export const none: ClientMethod = {
  name: publicMethod,
  place: 'client_id alone',
  alsoFor: [],
  issues: 'nothing',
  lacks: () => null,
  read(_request, parameters) {
    const id = parameters.find('client_id')
    return id === null ? null : { id, verify: (client) => client }
  },
}
