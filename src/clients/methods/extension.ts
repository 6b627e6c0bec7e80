/** Client authentication methods that a program adds to the service. */
import type { Parameters } from '../../protocol/parameters.ts'
import { type ClientMethod, invalidClient } from './method.ts'

/** Credentials of a request: whose they claim to be, and whether they are right. */
export interface ExtensionCredentials {
  /** The `client_id`. The client need not exist. */
  readonly id: string
  /** Called only if there is an enabled client with this id that registered the method. */
  isRight(at: number): Promise<boolean>
}

/** A client authentication method of your own. Its clients get no secret, and no other method is open to them. */
export interface ExtensionMethod {
  /** The value of `token_endpoint_auth_method`. */
  readonly name: string
  /**
   * Where a request carries the credentials, in words for error descriptions: `the header X-Badge`.
   * Two methods may share a place: `the Authorization header` is that of `client_secret_basic`.
   */
  readonly place: string
  /** Null if the request does not use this method, `malformed` if it uses it wrongly. */
  read(
    headers: { get(name: string): string | null },
    parameters: Parameters,
  ): ExtensionCredentials | 'malformed' | null
}

/** The same as a method of the service. All failures look alike, and none tells which clients exist. */
export const extendMethod = ({ name, place, ...method }: ExtensionMethod): ClientMethod => ({
  name,
  place,
  alsoFor: [],
  issues: 'nothing',
  lacks: () => null,
  read({ headers }, parameters) {
    const read = method.read(headers, parameters)
    if (read === null) return null
    if (read === 'malformed') return invalidClient('malformed_credentials')
    return {
      id: read.id,
      verify: async (client, { at }) =>
        (await read.isRight(at)) ? client : invalidClient('wrong_credentials'),
    }
  },
})
