/** `latchkey/resource/express`: guards the routes of an Express application. */
import type { RemoteAccess } from './introspection.ts'
import { type NodeRequest, type NodeResponse, readRequest, sendAnswer } from './node-exchange.ts'
import type { ProtectOptions } from './options.ts'
import { guardRoutes, type RouteGuard } from './protector.ts'

export type { RemoteAccess } from './introspection.ts'
export type { NodeRequest, NodeResponse } from './node-exchange.ts'
export type { Needs, ProtectOptions, TakeLine } from './options.ts'
export type { RouteGuard } from './protector.ts'
export type { RouteTarget, RouteWords } from './route-target.ts'

declare global {
  namespace Express {
    interface Request {
      /** What the token of the request allows; set by the guard of its route. */
      access?: RemoteAccess
    }
  }
}

/** A request, as far as the guard and the functions of its routes know it. */
export interface ExpressRequest extends NodeRequest {
  readonly params: Readonly<Record<string, unknown>>
  readonly body?: unknown
  access?: RemoteAccess
}

/** Sets `req.access`, or answers. */
export type ExpressMiddleware = (
  request: ExpressRequest,
  response: NodeResponse,
  next: (fault?: unknown) => void,
) => Promise<void>

/** Makes a middleware for each route. */
export type ExpressGuard = RouteGuard<
  ExpressMiddleware,
  (request: NodeRequest, response: NodeResponse) => void,
  ExpressRequest
>

/**
 * A guard for an Express application.
 *
 * @throws TypeError that names each unusable option
 */
export const protect = (options: ProtectOptions): ExpressGuard =>
  guardRoutes(
    options,
    (check): ExpressMiddleware =>
      async (request, response, next) => {
        try {
          const checked = await check(readRequest(request), request)
          if ('answer' in checked) return sendAnswer(checked.answer, response)
          request.access = checked.access
        } catch (fault) {
          return next(fault)
        }
        next()
      },
    (metadata) => (_: NodeRequest, response: NodeResponse) => sendAnswer(metadata(), response),
  )
