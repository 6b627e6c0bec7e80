/** A service behind a port, asked like one in this process. */
import type { Reachable } from './browser.ts'
import { toldAnswer } from './reference.ts'
import { type Answer, basic, type Form, type Init, requestOf } from './start.ts'

export const reach = (issuer: string): Reachable => {
  const ask = async (path: string, init: Init = {}): Promise<Answer> => {
    const url = path.startsWith('http') ? path : issuer + path
    const response = await fetch(requestOf(url, { ...init, redirect: 'manual' }))
    return toldAnswer(response, await response.text())
  }
  const post = (path: string, form: Form, client?: readonly [string, string]): Promise<Answer> =>
    ask(path, { form, headers: client === undefined ? {} : { authorization: basic(client) } })
  return { issuer, ask, post }
}
