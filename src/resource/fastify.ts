/** `latchkey/resource/fastify`: guards the routes of a Fastify application. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Answer } from '../http/answer.ts'
import type { RemoteAccess } from './introspection.ts'
import { getText, readRequest } from './node-exchange.ts'
import type { ProtectOptions } from './options.ts'
import { guardRoutes, type RouteGuard } from './protector.ts'

export type { RemoteAccess } from './introspection.ts'
export type { Needs, ProtectOptions, TakeLine } from './options.ts'
export type { RouteGuard } from './protector.ts'
export type { RouteTarget, RouteWords } from './route-target.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** What the token of the request allows; set by the guard of its route. */
    access?: RemoteAccess
  }
}

/** A `preHandler`: sets `request.access`, or answers. */
export type FastifyHook = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

/** Makes a hook for each route. */
export type FastifyGuard = RouteGuard<
  FastifyHook,
  (request: FastifyRequest, reply: FastifyReply) => unknown,
  FastifyRequest
>

const send = (answer: Answer, reply: FastifyReply): FastifyReply =>
  reply
    .code(answer.status)
    .headers({ ...answer.headers })
    .send(getText(answer))

/**
 * A guard for a Fastify application.
 *
 * @throws TypeError that names each unusable option
 */
export const protect = (options: ProtectOptions): FastifyGuard =>
  guardRoutes(
    options,
    (check): FastifyHook =>
      async (request, reply) => {
        const checked = await check(readRequest(request.raw), request)
        if ('answer' in checked) return send(checked.answer, reply)
        request.access = checked.access
        return undefined
      },
    (metadata) => (_: FastifyRequest, reply: FastifyReply) => send(metadata(), reply),
  )
