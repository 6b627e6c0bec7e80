/** The demo's web application: how it asks for a code, and what alice's consent earns it. */
import { answerOf, Browser, type Page, type Reachable } from './browser.ts'
import { photoPrinter } from './demo-clients.ts'
import { type Form, formBody } from './start.ts'

export const callback = 'http://127.0.0.1:6750/callback'

export const authorizePath = (parameters: Form): string => `/authorize?${formBody(parameters)}`

/** The request that most tests begin with. */
export const codeRequest: Readonly<Record<string, string>> = {
  response_type: 'code',
  client_id: 'photo-printer',
  redirect_uri: callback,
  state: 'xyz',
}

/**
 * Walks a whole journey as alice: authorize, log in if asked, allow if asked, with changes to the
 * form. Ends at the redirect to the client.
 */
export const walk = async (
  started: Reachable,
  parameters: Form = codeRequest,
  changes: Form = {},
  browser = new Browser(started),
): Promise<Page> => {
  let page = await browser.go(started.issuer + authorizePath(parameters))
  if (page.url.includes('/login')) page = await browser.logIn(page, 'alice', 'wonderland')
  if (page.url.includes('/consent'))
    page = await browser.submit(page, { decision: 'allow', ...changes })
  return page
}

/** A code for the demo's web application, approved by alice. */
export const obtainCode = async (
  started: Reachable,
  parameters: Form = codeRequest,
  changes: Form = {},
): Promise<string> => {
  const { code } = answerOf(await walk(started, parameters, changes))
  if (code === undefined) throw new Error('no code came')
  return code
}

/** What alice's whole consent earns the demo's web application. */
export const obtainTokens = async (
  started: Reachable,
  parameters: Form = codeRequest,
  changes: Form = {},
): Promise<{ access_token: string; refresh_token: string; scope: string }> => {
  const code = await obtainCode(started, parameters, changes)
  const form = { grant_type: 'authorization_code', code, redirect_uri: callback }
  return (await started.post('/token', form, photoPrinter)).body
}
