/** The guard of a protected resource: a request comes in, and goes on only with a token that allows it. */
import { responseOf } from '../http/answer.ts'
import type { HttpRequest } from '../http/request.ts'
import { mixedUp } from '../protocol/kinds.ts'
import type { Parameters } from '../protocol/parameters.ts'
import { Refusal } from '../protocol/refusal.ts'
import { type PresentedToken, readBearer } from './bearer.ts'
import { answerChallenge } from './challenge.ts'

/** The least that has to be known of a token. */
export interface Allowed {
  /** Such as `photos:read`, each one of them in force at this moment. */
  readonly permissions: readonly string[]
}

/**
 * The rights of a token now; null if it is unknown or has ended. Throws if it cannot be checked.
 */
export type Verify<Access extends Allowed> = (token: string) => Promise<Access | null>

export interface Admitted<Access extends Allowed> {
  readonly access: Access
  readonly presented: PresentedToken
}

const hasPermission = ({ permissions }: Allowed, needed: string): boolean =>
  permissions.includes(needed)

/**
 * Admits a request, or refuses it as RFC 6750 section 3.1 says.
 *
 * @param needs the one permission needed; it may depend on the form
 * @param verify is told of it as well
 * @param allows whether the token allows the need; by default, whether it has that permission
 * @throws Refusal `invalid_request`, `invalid_token`, `insufficient_scope`
 */
export const admit = async <Access extends Allowed>(
  request: HttpRequest,
  needs: string | ((presented: PresentedToken | null) => string),
  verify: (token: string, needed: string) => Promise<Access | null>,
  allows: (access: Access, needed: string) => boolean = hasPermission,
): Promise<Admitted<Access>> => {
  const presented = await readBearer(request)
  const scope = typeof needs === 'string' ? needs : needs(presented)
  if (presented === null) {
    throw new Refusal('invalid_token', 'missing_token', 'an access token is needed', { scope })
  }
  const access = await verify(presented.token, scope)
  if (access === null) {
    throw new Refusal(
      'invalid_token',
      'unknown_token',
      mixedUp(presented.token, 'lk_at_') ?? 'the access token is unknown, expired or revoked',
    )
  }
  if (!allows(access, scope)) {
    throw new Refusal(
      'insufficient_scope',
      'missing_permission',
      'the access token does not allow this',
      { scope },
    )
  }
  return { access, presented }
}

/** How `createGuard` checks tokens. */
export interface GuardOptions<Access extends Allowed> {
  readonly verify: Verify<Access>
  /** The URL of the resource's metadata (RFC 9728 section 3), told in every challenge. */
  readonly resourceMetadata?: string
}

/** Answers an admitted request; `form` is its body, if it was a form. */
export type AnswerAdmitted<Access extends Allowed> = (
  access: Access,
  form: Parameters | null,
) => Promise<Response> | Response

/** Lets `answer` see only requests whose token has the permission `needs`. */
export type Guard<Access extends Allowed> = (
  request: HttpRequest,
  needs: string,
  answer: AnswerAdmitted<Access>,
) => Promise<Response>

/** A token in a URL must leave no copy of the answer behind (RFC 6750 section 2.3). */
const neverKept = (response: Response): Response => {
  const copy = new Response(response.body, response)
  copy.headers.set('Cache-Control', 'private, no-store')
  copy.headers.set('Referrer-Policy', 'no-referrer')
  return copy
}

/** A guard for an API of one's own, in any program that speaks `Request` and `Response`. */
export const createGuard =
  <Access extends Allowed>({ verify, resourceMetadata }: GuardOptions<Access>): Guard<Access> =>
  async (request, needs, answer) => {
    let admitted: Admitted<Access>
    try {
      admitted = await admit(request, needs, verify)
    } catch (fault) {
      if (!(fault instanceof Refusal)) throw fault
      const pointers = { metadata: resourceMetadata ?? null, errorUri: null }
      return responseOf(answerChallenge(fault, pointers))
    }
    const { access, presented } = admitted
    const response = await answer(access, presented.form)
    return presented.way === 'query' ? neverKept(response) : response
  }
