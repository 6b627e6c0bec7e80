/** `latchkey/resource/koa`: guards the routes of a Koa application. */
import type { Answer } from '../http/answer.ts'
import type { RemoteAccess } from './introspection.ts'
import { getText, type NodeRequest, readRequest } from './node-exchange.ts'
import type { ProtectOptions } from './options.ts'
import { guardRoutes, type RouteGuard } from './protector.ts'

export type { RemoteAccess } from './introspection.ts'
export type { NodeRequest } from './node-exchange.ts'
export type { Needs, ProtectOptions, TakeLine } from './options.ts'
export type { RouteGuard } from './protector.ts'
export type { RouteTarget, RouteWords } from './route-target.ts'

/** What the guard needs of Koa's context. */
export interface KoaContext {
  readonly req: NodeRequest
  /** The URL before a mounted application took its part of the path away. */
  readonly originalUrl?: string
  readonly path: string
  readonly state: { access?: RemoteAccess }
  status: number
  body: unknown
  set(headers: Record<string, string | string[]>): unknown
}

/** Sets `ctx.state.access`, or answers. */
export type KoaMiddleware = (context: KoaContext, next: () => Promise<unknown>) => Promise<unknown>

/** Makes a middleware for each route. */
export type KoaGuard = RouteGuard<KoaMiddleware, (context: KoaContext) => void, KoaContext>

const send = (answer: Answer, context: KoaContext): void => {
  context.status = answer.status
  context.body = getText(answer)
  // The body of a text would set its own type.
  context.set({ ...answer.headers })
}

/**
 * A guard for a Koa application.
 *
 * @throws TypeError that names each unusable option
 */
export const protect = (options: ProtectOptions): KoaGuard =>
  guardRoutes(
    options,
    (check): KoaMiddleware =>
      async (context, next) => {
        const checked = await check(readRequest(context.req, context.originalUrl), context)
        if ('answer' in checked) return send(checked.answer, context)
        context.state.access = checked.access
        return next()
      },
    (metadata) => (context: KoaContext) => send(metadata(), context),
  )
