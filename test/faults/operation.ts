/** Requests to the service, in a form for planting faults. */
import assert from 'node:assert/strict'
import { answerOf, type Reachable } from '../support/browser.ts'
import { houseApp, photoPrinter } from '../support/demo-clients.ts'
import { newPerson, newVisitor, type Person, password, type Visitor } from '../support/people.ts'
import { authorizePath, callback } from '../support/printing.ts'
import type { Answer } from '../support/start.ts'
import type { Method } from './faulty-store.ts'

/** A request that is ready to be sent, as often as wanted. */
export interface Asked {
  ask(): Promise<Answer>
  /**
   * Looks at what has become of it, with nothing failing any more.
   *
   * @param done whether the step behind it was done; null where nobody can know
   * @param answers what came back so far
   */
  settle(done: boolean | null, answers: readonly Answer[]): Promise<void>
}

export interface Operation {
  readonly name: string
  /** The step with the effect of the request; null if it changes nothing. */
  readonly effect: Method | null
  /** Whether an answer says that it was done. */
  readonly isPositive: (answer: Answer) => boolean
  /** The step whose failure the answer tolerates. */
  readonly doesWithout?: Method
  prepare(service: Reachable): Promise<Asked>
}

const isGranted = ({ status }: Answer): boolean => status >= 200 && status < 400
export const isInvalidGrant = ({ status, body }: Answer): boolean =>
  status === 400 && body.error === 'invalid_grant'

/** The visible state has to be the expected one, if that is known. */
export const assertDone = (seen: boolean, done: boolean | null): void => {
  if (done !== null) assert.equal(seen, done)
}

export const operation = (
  name: string,
  effect: Method | null,
  prepare: Operation['prepare'],
  isPositive: Operation['isPositive'] = isGranted,
): Operation => ({ name, effect, prepare, isPositive })

/** Something that is only read: the whole of it or nothing. */
export const reading = (
  name: string,
  prepare: (service: Reachable) => Promise<() => Promise<Answer>>,
  check: (answer: Answer) => void = () => {},
  isPositive: Operation['isPositive'] = isGranted,
): Operation =>
  operation(
    name,
    null,
    async (service) => {
      const ask = await prepare(service)
      return {
        ask,
        settle: async (_done, answers) => {
          for (const answer of answers.filter(isPositive)) check(answer)
          const again = await ask()
          assert.ok(isPositive(again), `${again.status} ${again.text}`)
          check(again)
        },
      }
    },
    isPositive,
  )

export interface Tokens {
  readonly access_token: string
  readonly refresh_token: string
}

export const passwordGrant = (
  service: Reachable,
  username: string,
  secret = password,
  more: { readonly scope?: string } = {},
) =>
  service.post('/token', { grant_type: 'password', username, password: secret, ...more }, houseApp)

/** A person's tokens for the demo's trusted application. */
export const newTokens = async (
  service: Reachable,
  more: { readonly scope?: string } = {},
): Promise<Person & Tokens> => {
  const person = await newPerson(service)
  const { status, body, text } = await passwordGrant(service, person.username, password, more)
  assert.equal(status, 200, text)
  return { ...person, ...body }
}

/** A code for the demo's web application, approved on the consent page. */
export const newCode = async (
  service: Reachable,
  request: Readonly<Record<string, string>> = {
    response_type: 'code',
    client_id: 'photo-printer',
    redirect_uri: callback,
    state: 'xyz',
  },
): Promise<Visitor & { code: string }> => {
  const visitor = await newVisitor(service)
  const page = await visitor.browser.go(authorizePath(request))
  const { code } = answerOf(await visitor.browser.submit(page, { decision: 'allow' }))
  assert.ok(code)
  return { ...visitor, code }
}

export const redeemCode = (service: Reachable, code: string): Promise<Answer> => {
  const form = { grant_type: 'authorization_code', code, redirect_uri: callback }
  return service.post('/token', form, photoPrinter)
}

export const refresh = (
  service: Reachable,
  token: string,
  client: readonly [string, string] = houseApp,
): Promise<Answer> =>
  service.post('/token', { grant_type: 'refresh_token', refresh_token: token }, client)

export const introspect = (
  service: Reachable,
  token: string,
  client: readonly [string, string] = houseApp,
): Promise<Answer> => service.post('/introspect', { token }, client)

export const isActive = async (
  service: Reachable,
  token: string,
  client: readonly [string, string] = houseApp,
): Promise<boolean> => {
  const { status, body, text } = await introspect(service, token, client)
  assert.equal(status, 200, text)
  return body.active
}
