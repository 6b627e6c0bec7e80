/** `latchkey/resource/node`: guards the routes of a `node:http` server. */
import type { RemoteAccess } from './introspection.ts'
import { type NodeRequest, type NodeResponse, readRequest, sendAnswer } from './node-exchange.ts'
import type { ProtectOptions } from './options.ts'
import { guardRoutes, type RouteGuard } from './protector.ts'

export type { RemoteAccess } from './introspection.ts'
export type { NodeRequest, NodeResponse } from './node-exchange.ts'
export type { Needs, ProtectOptions, TakeLine } from './options.ts'
export type { RouteGuard } from './protector.ts'
export type { RouteTarget, RouteWords } from './route-target.ts'

/** Null: the request was refused, and is answered already. */
export type NodeCheck = (
  request: NodeRequest,
  response: NodeResponse,
) => Promise<RemoteAccess | null>

/** Makes a check for each route. */
export type NodeGuard = RouteGuard<
  NodeCheck,
  (request: NodeRequest, response: NodeResponse) => void,
  NodeRequest
>

/**
 * A guard for a `node:http` server.
 *
 * @throws TypeError that names each unusable option
 */
export const protect = (options: ProtectOptions): NodeGuard =>
  guardRoutes(
    options,
    (check): NodeCheck =>
      async (request, response) => {
        const checked = await check(readRequest(request), request)
        if ('access' in checked) return checked.access
        sendAnswer(checked.answer, response)
        return null
      },
    (metadata) => (_: NodeRequest, response: NodeResponse) => sendAnswer(metadata(), response),
  )
