/** Operators and auditors at a browser: owners with a role, logged in with two factors. */
import assert from 'node:assert/strict'
import { Browser, type Page } from './browser.ts'
import { codeAt, firstStep, setUpCodes, submitWith } from './factors.ts'
import { newPerson, type Person, password, type Visitor } from './people.ts'
import type { Form, Started } from './start.ts'

export const giveRoles = async ({ id, operator }: Person, roles: readonly string[]) => {
  const { status, text } = await operator('PATCH', `owners/${id}`, { roles })
  assert.equal(status, 200, text)
}

interface ConsoleVisitor extends Visitor {
  /** From the page of the proof, back to the page before it. */
  readonly logInAgain: (asked: Page) => Promise<Page>
  /** At a login page, with both factors. */
  readonly logIn: (login: Page) => Promise<Page>
}

/** Somebody with these roles, a password and one-time codes, logged in with both. */
export const newConsoleVisitor = async (
  service: Started,
  roles: readonly string[] = ['operator'],
  name = 'Olga Ops',
): Promise<ConsoleVisitor> => {
  const person = await newPerson(service, name)
  await giveRoles(person, roles)
  const first = new Browser(service)
  await first.logIn(await first.go('/login'), person.username, password)
  const secret = await setUpCodes(first, service.now())
  // Each code works once.
  service.pass(30)
  const { browser, page } = await firstStep(service, person.username, password)
  const showCode = (asked: Page): Promise<Page> =>
    submitWith(browser, asked, 'code', { code: codeAt(secret, service.now()) })
  const enter = async (asked: Page): Promise<Page> => {
    const inside = await showCode(asked)
    assert.equal(inside.status, 200, inside.text)
    return inside
  }
  await enter(page)
  const logIn = async (login: Page): Promise<Page> => {
    service.pass(30)
    return showCode(await browser.logIn(login, person.username, password))
  }
  const logInAgain = async (asked: Page): Promise<Page> => {
    const [, link = ''] = /class="button" href="([^"]*\/login[^"]*)"/.exec(asked.text) ?? []
    service.pass(30)
    const login = await browser.go(link.replaceAll('&amp;', '&'))
    return enter(await browser.logIn(login, person.username, password))
  }
  return { ...person, browser, logInAgain, logIn }
}

/** Sends a form as the pages do, with the token of a page of the console. */
export const act = async (browser: Browser, path: string, form: Form): Promise<Page> => {
  const page = await browser.go('/admin')
  const [, csrf = ''] = /name="csrf" value="([^"]+)"/.exec(page.text) ?? []
  return browser.go(path, { csrf, ...form })
}
