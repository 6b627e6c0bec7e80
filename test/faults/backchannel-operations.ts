/** Backchannel requests, and the decisions of their owners. */
import assert from 'node:assert/strict'
import { operatorOf } from '../flows/operator.ts'
import {
  type AskedBackchannel,
  askBackchannel,
  backchannelGrant,
  decide,
  pollBackchannel,
  requestsPath,
  tryBackchannel,
} from '../support/backchannel.ts'
import type { Reachable } from '../support/browser.ts'
import { newVisitor } from '../support/people.ts'
import type { Answer } from '../support/start.ts'
import { type Operation, operation, reading } from './operation.ts'

const errorOf = async (service: Reachable, codes: AskedBackchannel): Promise<string | undefined> =>
  (await pollBackchannel(service, codes)).body.error

const isPending = (error: string | undefined): boolean =>
  error === 'authorization_pending' || error === 'slow_down'

/** Somebody in front of the page with a request. */
const newRequest = async (service: Reachable) => {
  const { browser, username } = await newVisitor(service)
  const codes = await askBackchannel(service, { login_hint: username })
  const page = await browser.go(`${service.issuer}${requestsPath}`)
  return { codes, browser, page, username }
}

const begin = {
  ...operation('backchannel request', 'startBackchannel', async (service) => {
    const { username } = await newRequest(service)
    return {
      ask: () => tryBackchannel(service, { login_hint: username }),
      settle: async (_done, answers) => {
        for (const { status, body } of answers.filter((answer) => answer.status === 200)) {
          assert.ok(isPending(await errorOf(service, body)), String(status))
        }
      },
    }
  }),
  doesWithout: 'queueMail',
} as const

const see = reading(
  'page of requests',
  async (service) => {
    const { browser } = await newRequest(service)
    return () => browser.go(`${service.issuer}${requestsPath}`)
  },
  ({ text }) => assert.match(text, /waits for you/),
)

/** The hint is an ID token, whose subject only this client knows. */
const hintReading = reading(
  'backchannel request by an ID token',
  async (service) => {
    const operator = await operatorOf(service)
    const grant_types = [backchannelGrant]
    const json = { grant_types, response_types: [], subject_type: 'pairwise' }
    const { body: made } = await operator('POST', 'clients', json)
    const client = [made.client_id, made.client_secret] as const
    const { browser, username } = await newVisitor(service)
    const form = { login_hint: username, scope: 'openid' }
    const codes = await askBackchannel(service, form, client)
    const page = await browser.go(`${service.issuer}${requestsPath}`)
    await decide({ browser, page }, codes, 'allow')
    const { body } = await pollBackchannel(service, codes, {}, client)
    return () => tryBackchannel(service, { login_hint: '', id_token_hint: body.id_token }, client)
  },
  ({ body }) => assert.match(body.auth_req_id, /^lk_ar_/),
)

const hint: Operation = { ...hintReading, doesWithout: 'queueMail' }

const approve = operation('approval of a request', 'approveBackchannel', async (service) => {
  const { codes, ...opened } = await newRequest(service)
  return {
    ask: () => decide(opened, codes, 'allow'),
    settle: async (done) => {
      const { status, body } = await pollBackchannel(service, codes)
      if (done !== null) assert.equal(status === 200, done, JSON.stringify(body))
    },
  }
})

const deny = operation('denial of a request', 'denyBackchannel', async (service) => {
  const { codes, ...opened } = await newRequest(service)
  return {
    ask: () => decide(opened, codes, 'deny'),
    settle: async (done) => {
      const error = await errorOf(service, codes)
      if (done !== null) assert.equal(error === 'access_denied', done, String(error))
    },
  }
})

const isWon = ({ status }: Answer): boolean => status === 200

const redeem = operation('redemption of an auth_req_id', 'redeemBackchannel', async (service) => {
  const { codes, ...opened } = await newRequest(service)
  await decide(opened, codes, 'allow')
  const ask = () => pollBackchannel(service, codes)
  return {
    ask,
    settle: async (done, answers) => {
      const again = await ask()
      assert.ok([...answers, again].filter(isWon).length <= 1, 'an auth_req_id succeeded twice')
      if (done !== null) assert.equal(again.status, done ? 400 : 200)
    },
  }
})

const waiting = reading(
  'poll of a backchannel client',
  async (service) => {
    const { codes } = await newRequest(service)
    return () => pollBackchannel(service, codes)
  },
  ({ body }) => assert.ok(isPending(body.error)),
  ({ body }) => isPending(body.error),
)

export const backchannelOperations: readonly Operation[] = [
  begin,
  hint,
  see,
  approve,
  deny,
  redeem,
  waiting,
]
