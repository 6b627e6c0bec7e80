/** Logging in at the command line, without the command: its request, the pages, and the token. */
import assert from 'node:assert/strict'
import { hashText } from '../../src/crypto/digest.ts'
import { answerOf, type Page } from './browser.ts'
import type { newConsoleVisitor } from './console.ts'
import { type Answer, formBody, type Started } from './start.ts'

export type Commander = Awaited<ReturnType<typeof newConsoleVisitor>>

export const commandLine = 'latchkey-command-line'
const verifier = 'v'.repeat(43)
const redirect = 'http://127.0.0.1:6751/callback'

/** The path of the request of `latchkey login`. */
export const makeRequest = (
  { issuer }: Pick<Started, 'issuer'>,
  changes: Readonly<Record<string, string>> = {},
): string =>
  `/authorize?${formBody({
    response_type: 'code',
    client_id: commandLine,
    redirect_uri: redirect,
    scope: 'openid',
    resource: issuer,
    prompt: 'login',
    state: 'state',
    code_challenge: hashText(verifier),
    code_challenge_method: 'S256',
    ...changes,
  })}`

/** Opens the page, logs in with two factors and answers. Ends at the redirect. */
export const answerPage = async (
  { browser, logIn: prove }: Commander,
  url: string,
  decision = 'allow',
): Promise<Page> => {
  const page = await prove(await browser.go(url))
  return page.url.includes('/consent') ? browser.submit(page, { decision }) : page
}

export const redeem = async (
  service: Started,
  person: Commander,
  changes: Readonly<Record<string, string>> = {},
): Promise<Answer> => {
  const { code = '' } = answerOf(await answerPage(person, makeRequest(service)))
  const form = { grant_type: 'authorization_code', client_id: commandLine, code }
  const uri = { redirect_uri: redirect, code_verifier: verifier }
  return service.post('/token', { ...form, ...uri, ...changes })
}

export const takeToken = async (service: Started, person: Commander): Promise<string> => {
  const { status, body, text } = await redeem(service, person)
  assert.equal(status, 200, text)
  return body.access_token
}
