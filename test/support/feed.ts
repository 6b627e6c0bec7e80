/** The feed of revocations, as an API polls it. */
import assert from 'node:assert/strict'
import { createLocalJWKSet, jwtVerify } from 'jose'
import { revocationEvent } from '../../src/resource/doubts.ts'
import { type Answer, basic, type Started } from './start.ts'

export const poll = (
  service: Pick<Started, 'ask'>,
  client: readonly [string, string],
  asked: object = {},
): Promise<Answer> =>
  service.ask('/revocation-feed', {
    json: { returnImmediately: true, ...asked },
    headers: { authorization: basic(client) },
  })

/** The verified events of an answer: `[subject, id, final]`. */
export const eventsOf = async (
  service: Pick<Started, 'ask' | 'issuer' | 'now'>,
  { status, body, text }: Answer,
  audience: string,
): Promise<readonly (readonly unknown[])[]> => {
  assert.equal(status, 200, text)
  const keys = createLocalJWKSet((await service.ask('/jwks')).body)
  const events = []
  for (const [jti, set] of Object.entries(body.sets)) {
    const { payload } = await jwtVerify(String(set), keys, {
      issuer: service.issuer,
      audience,
      typ: 'secevent+jwt',
      currentDate: new Date(service.now() * 1000),
    })
    assert.equal(payload.jti, jti)
    const event = (payload.events as Record<string, Record<string, unknown>>)[revocationEvent]
    events.push([event?.subject, event?.id, event?.final])
  }
  return events
}

/** A timer that ticks on command. */
export const handTimer = () => {
  const calls = new Set<() => void>()
  return {
    every: (call: () => void) => {
      calls.add(call)
      return () => {
        calls.delete(call)
      }
    },
    tick: () => {
      for (const call of calls) call()
    },
    isRunning: () => calls.size > 0,
  }
}
