/** `latchkey/resource/hono`: guards the routes of a Hono application. */
import type { Context, MiddlewareHandler } from 'hono'
import { responseOf } from '../http/answer.ts'
import type { RemoteAccess } from './introspection.ts'
import type { Needs, ProtectOptions } from './options.ts'
import { guardRoutes } from './protector.ts'

export type { RemoteAccess } from './introspection.ts'
export type { Needs, ProtectOptions, TakeLine } from './options.ts'

/** Sets `c.get('access')`, or answers. */
export type HonoMiddleware = MiddlewareHandler<{ Variables: { access: RemoteAccess } }>

/** Makes a middleware for each route. */
export interface HonoGuard {
  (needs: Needs): HonoMiddleware
  /** Answers with the metadata of the resource (RFC 9728). */
  readonly metadata: (context: Context) => Response
  /** The path to serve them at. */
  readonly metadataPath: string
  /** Ends what an offline guard does in the background. */
  readonly close: () => void
}

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
        const checked = await check(context.req.raw.headers)
        if ('answer' in checked) return responseOf(checked.answer)
        context.set('access', checked.access)
        return next()
      },
    (metadata) => () => responseOf(metadata()),
  )
