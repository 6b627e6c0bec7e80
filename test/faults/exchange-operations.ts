/** Token exchange (RFC 8693): a branch is begun whole or not at all, and what is above it ends it. */
import assert from 'node:assert/strict'
import type { Reachable } from '../support/browser.ts'
import { helper, houseApp } from '../support/demo-clients.ts'
import { exchange, exchanged, letAct } from '../support/exchange.ts'
import type { Person } from '../support/people.ts'
import {
  assertDone,
  introspect,
  isActive,
  newTokens,
  type Operation,
  operation,
  reading,
} from './operation.ts'

/** A token of a new owner that the helper may exchange. */
const newSubject = async (service: Reachable) => {
  const subject = await newTokens(service)
  await letAct(subject.operator, houseApp[0], [helper[0]])
  return subject
}

const newExchanged = async (service: Reachable) => {
  const subject = await newSubject(service)
  return { ...subject, token: await exchanged(service, subject.access_token) }
}

const findBranches = async ({ id, operator }: Person): Promise<readonly { id: string }[]> =>
  (await operator('GET', `authorizations?owner=${id}&client=${helper[0]}`)).body.items

const begin = operation('token exchange', 'delegate', async (service) => {
  const subject = await newSubject(service)
  return {
    ask: () => exchange(service, subject.access_token),
    settle: async (done, answers) => {
      assertDone((await findBranches(subject)).length === 1, done)
      const again = await exchange(service, subject.access_token)
      assert.equal(again.status, 200, again.text)
      assert.equal((await findBranches(subject)).length, 1)
      for (const { body } of [...answers, again].filter(({ status }) => status === 200)) {
        assert.equal(await isActive(service, body.access_token, helper), true)
      }
    },
  }
})

const use = reading(
  'introspect an exchanged token',
  async (service) => {
    const { token } = await newExchanged(service)
    return () => introspect(service, token, helper)
  },
  ({ body }) => assert.equal(body.active, true),
)

const revokeSubject = operation('revoke a subject token', 'endToken', async (service) => {
  const { access_token, token } = await newExchanged(service)
  const ask = () => service.post('/revoke', { token: access_token }, houseApp)
  return {
    ask,
    settle: async (done) => {
      assertDone(!(await isActive(service, token, helper)), done)
      assert.equal((await ask()).status, 200)
      assert.equal(await isActive(service, token, helper), false)
    },
  }
})

const end = operation('end of a branch', 'endAuthorization', async (service) => {
  const subject = await newExchanged(service)
  const [branch] = await findBranches(subject)
  assert.ok(branch)
  return {
    ask: () => subject.operator('DELETE', `authorizations/${branch.id}`),
    settle: async (done) => {
      assertDone(!(await isActive(service, subject.token, helper)), done)
      assert.equal(await isActive(service, subject.access_token), true)
      const again = await exchange(service, subject.access_token)
      if (done !== null) assert.equal(again.status, done ? 400 : 200)
    },
  }
})

export const exchangeOperations: readonly Operation[] = [begin, use, revokeSubject, end]
