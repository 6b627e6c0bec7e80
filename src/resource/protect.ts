/** `protect` for programs that speak the web's `Request` and `Response`. */
import { makeResponse } from '../http/answer.ts'
import type { RemoteAccess } from './introspection.ts'
import { type Needs, type ProtectOptions, parseNeeds } from './options.ts'
import { createProtector } from './protector.ts'
import type { RouteWords } from './route-target.ts'

/** Answers a request that was let in. */
export type AnswerAdmitted = (access: RemoteAccess) => Promise<Response> | Response

/** Calls `answer` only for a request whose token allows it. */
export interface Guard {
  (
    request: Request,
    needs: Needs,
    answer: AnswerAdmitted,
    words?: RouteWords<Request>,
  ): Promise<Response>
  /** Answers with the metadata of the resource (RFC 9728). */
  readonly metadata: () => Response
  /** The path to serve them at. */
  readonly metadataPath: string
  /** Ends what an offline guard does in the background. */
  readonly close: () => void
}

/**
 * A guard for an API of your own.
 *
 * @throws TypeError that names each unusable option
 */
export const protect = (options: ProtectOptions): Guard => {
  const { check, metadata, metadataPath, close } = createProtector(options)
  const guard = async (
    request: Request,
    needs: Needs,
    answer: AnswerAdmitted,
    words: RouteWords<Request> = {},
  ): Promise<Response> => {
    const { headers, method, url } = request
    const checked = await check({ headers, method, target: url }, parseNeeds(needs), words, request)
    return 'access' in checked ? answer(checked.access) : makeResponse(checked.answer)
  }
  return Object.assign(guard, { metadata: () => makeResponse(metadata()), metadataPath, close })
}
