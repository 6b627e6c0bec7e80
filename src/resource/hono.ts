/** `latchkey/resource/hono`: guards the routes of a Hono application. */
import type { Context, MiddlewareHandler } from 'hono'
import { makeResponse } from '../http/answer.ts'
import type { RemoteAccess } from './introspection.ts'
import type { ProtectOptions } from './options.ts'
import { guardRoutes, type RouteGuard } from './protector.ts'

export type { RemoteAccess } from './introspection.ts'
export type { Needs, ProtectOptions, TakeLine } from './options.ts'
export type { RouteGuard } from './protector.ts'
export type { RouteTarget, RouteWords } from './route-target.ts'

/** Sets `c.get('access')`, or answers. */
export type HonoMiddleware = MiddlewareHandler<{ Variables: { access: RemoteAccess } }>

/** Makes a middleware for each route. */
export type HonoGuard = RouteGuard<HonoMiddleware, (context: Context) => Response, Context>

/**
 * A guard for a Hono application.
 *
 * @throws TypeError that names each unusable option
 */
export const protect = (options: ProtectOptions): HonoGuard =>
  guardRoutes(
    options,
    (check): HonoMiddleware =>
      async (context, next) => {
        const { headers, method, url } = context.req.raw
        const checked = await check({ headers, method, target: url }, context)
        if ('answer' in checked) return makeResponse(checked.answer)
        context.set('access', checked.access)
        return next()
      },
    (metadata) => () => makeResponse(metadata()),
  )
