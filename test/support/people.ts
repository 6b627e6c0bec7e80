/** Owners of whom a service has not heard before: added by its operator, and logged in. */
import assert from 'node:assert/strict'
import { type Operator, operatorOf } from '../flows/operator.ts'
import { Browser, type Reachable } from './browser.ts'

/** Of everybody here. */
export const password = 'correct horse battery'
let people = 0

export interface Person {
  readonly id: string
  readonly username: string
  readonly operator: Operator
}

/** A person at a browser. */
export interface Visitor extends Person {
  readonly browser: Browser
}

/** A name that no other process at the same service takes either. */
export const newName = (): string => `name-${process.pid}-${++people}`

/** An owner of one's own. @param name what the person is called beside the username */
export const newPerson = async (service: Reachable, name = ''): Promise<Person> => {
  const operator = await operatorOf(service)
  const username = newName()
  const { status, body, text } = await operator('POST', 'owners', { username, password, name })
  assert.equal(status, 201, text)
  return { id: body.id, username, operator }
}

/** Somebody new, logged in with the password. */
export const newVisitor = async (service: Reachable, name = ''): Promise<Visitor> => {
  const person = await newPerson(service, name)
  const browser = new Browser(service)
  await browser.logIn(await browser.go(`${service.issuer}/login`), person.username, password)
  return { ...person, browser }
}

/** An owner's events, the latest first; events of one moment come in no order. */
export const eventsOf = async ({ id, operator }: Person) => {
  const { body } = await operator('GET', `events?owner=${id}&limit=100`)
  const events: readonly { readonly type: string; readonly details: Record<string, unknown> }[] =
    body.items
  return events
}
