/** One person with one application: approves, gets tokens, writes, refreshes and ends it all again. */
import { bearer, type Operator } from '../flows/operator.ts'
import { answerOf, Browser, type Reachable } from '../support/browser.ts'
import { houseApp, photoPrinter } from '../support/demo-clients.ts'
import { password } from '../support/people.ts'
import { authorizePath, codeRequest } from '../support/printing.ts'
import type { Answer } from '../support/start.ts'
import type { Deed, History } from './history.ts'
import { isActive, redeemCode, refresh } from './operation.ts'

/** The answer was an error, or none came: this life goes on no further. */
export class Unknown extends Error {}

interface Living {
  readonly service: Reachable
  readonly operator: Operator
  readonly history: History
  /** Told of every acknowledgement. */
  readonly onAcknowledged: () => void
}

const orThrow = (answer: Answer): Answer => {
  if (answer.status < 400) return answer
  throw new Unknown(`${answer.status} ${answer.text}`)
}

/** Everything that one person does; the life has the person's name. */
export const live = async (name: string, byCode: boolean, living: Living): Promise<void> => {
  const { service, operator, history, onAcknowledged } = living
  const write = (deed: Deed, word: 'asked' | 'acknowledged' | 'unknown' | 'broken', what = {}) =>
    history.write({ life: name, deed, word, what })

  /** Writes a request down, and then its acknowledgement with its content. */
  const promise = async (
    deed: Deed,
    sent: Readonly<Record<string, string>>,
    ask: () => Promise<Answer>,
    came: (answer: Answer) => Readonly<Record<string, string>> = () => ({}),
  ): Promise<Answer> => {
    write(deed, 'asked', sent)
    try {
      const answer = orThrow(await ask())
      write(deed, 'acknowledged', { ...sent, ...came(answer) })
      onAcknowledged()
      return answer
    } catch (error) {
      write(deed, 'unknown', sent)
      throw new Unknown(String(error))
    }
  }

  const tokensOf = ({ body }: Answer) => ({
    access_token: body.access_token,
    refresh_token: body.refresh_token,
  })
  const client = byCode ? photoPrinter : houseApp

  await promise('owner', {}, () => operator('POST', 'owners', { username: name, password }))
  const first = byCode
    ? await promise(
        'tokens',
        { client: client[0], code: await askForCode(name, living) },
        () => redeemCode(service, lastCode(name)),
        tokensOf,
      )
    : await promise(
        'tokens',
        { client: client[0] },
        () => service.post('/token', { grant_type: 'password', username: name, password }, client),
        tokensOf,
      )
  const { access_token } = tokensOf(first)
  for (const title of ['1', '2']) {
    const init = { ...bearer(access_token), method: 'PUT', json: { title } }
    await promise('item', { title }, () => service.ask('/api/photos/a', init))
  }
  let last = tokensOf(first)
  for (let i = 0; i < 2; i++) {
    const sent = { refresh_token: last.refresh_token }
    const next = await promise(
      'refresh',
      sent,
      () => refresh(service, last.refresh_token, client),
      tokensOf,
    )
    last = tokensOf(next)
  }
  /** A request after the acknowledgement must hear that it is gone. */
  const mustBeGone = async (deed: Deed, token: string): Promise<void> => {
    if (await isActive(service, token, client)) write(deed, 'broken', { token })
  }
  await promise('revoke', { access_token }, () =>
    service.post('/revoke', { token: access_token }, client),
  )
  await mustBeGone('revoke', access_token)
  if (name.endsWith('0')) return
  await promise('end', {}, () => service.post('/revoke', { token: last.refresh_token }, client))
  await mustBeGone('end', last.access_token)
}

const codes = new Map<string, string>()
const lastCode = (name: string): string => codes.get(name) ?? ''

/** Login and consent; what they write is seen through the code. */
const askForCode = async (name: string, { service }: Living): Promise<string> => {
  try {
    const browser = new Browser(service)
    const page = await browser.logIn(await browser.go(authorizePath(codeRequest)), name, password)
    const { code = '' } = answerOf(await browser.submit(page, { decision: 'allow' }))
    codes.set(name, code)
    return code
  } catch (error) {
    throw new Unknown(String(error))
  }
}
