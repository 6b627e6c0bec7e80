/** Requests of devices, and the decisions of their owners. */
import assert from 'node:assert/strict'
import type { Reachable } from '../support/browser.ts'
import { askForDevice, type DeviceCodes, enterCode, poll, tryDevice } from '../support/devices.ts'
import { newVisitor } from '../support/people.ts'
import type { Answer } from '../support/start.ts'
import { type Operation, operation, reading } from './operation.ts'

const errorOf = async (service: Reachable, codes: DeviceCodes): Promise<string | undefined> =>
  (await poll(service, codes)).body.error

const isPending = (error: string | undefined): boolean =>
  error === 'authorization_pending' || error === 'slow_down'

/** A visitor in front of the consent page for a device. */
const newConsent = async (service: Reachable) => {
  const codes = await askForDevice(service)
  const { browser } = await newVisitor(service)
  const asking = await enterCode(browser, codes.user_code)
  return { codes, browser, asking, consent: () => browser.submit(asking, { decision: 'continue' }) }
}

const begin = operation('device authorization', 'startDevice', async (service) => {
  // The secret behind user codes is read once.
  await askForDevice(service)
  return {
    ask: () => tryDevice(service),
    settle: async (_done, answers) => {
      for (const { status, body } of answers.filter((answer) => answer.status === 200)) {
        assert.ok(isPending(await errorOf(service, body)), String(status))
      }
    },
  }
})

const enter = reading(
  'code of a device',
  async (service) => {
    const { user_code } = await askForDevice(service)
    const { browser } = await newVisitor(service)
    const entry = await browser.go('/device')
    return () => browser.submit(entry, { user_code })
  },
  ({ text }) => assert.match(text, /Does your device show/),
)

const approve = operation('approval of a device', 'approveDevice', async (service) => {
  const { codes, browser, consent } = await newConsent(service)
  const page = await consent()
  const ask = () => browser.submit(page, { decision: 'allow' })
  return {
    ask,
    settle: async (done) => {
      const { status, body } = await poll(service, codes)
      if (done !== null) assert.equal(status === 200, done, JSON.stringify(body))
    },
  }
})

const deny = operation('denial of a device', 'denyDevice', async (service) => {
  const { codes, browser, asking } = await newConsent(service)
  return {
    ask: () => browser.submit(asking, { decision: 'deny' }),
    settle: async (done) => {
      const error = await errorOf(service, codes)
      if (done !== null) assert.equal(error === 'access_denied', done, String(error))
    },
  }
})

const isWon = ({ status }: Answer): boolean => status === 200

const redeem = operation('redemption of a device code', 'redeemDevice', async (service) => {
  const { codes, browser, consent } = await newConsent(service)
  await browser.submit(await consent(), { decision: 'allow' })
  const ask = () => poll(service, codes)
  return {
    ask,
    settle: async (done, answers) => {
      const again = await ask()
      assert.ok([...answers, again].filter(isWon).length <= 1, 'a device code succeeded twice')
      if (done !== null) assert.equal(again.status, done ? 400 : 200)
    },
  }
})

const waiting = reading(
  'poll of a device',
  async (service) => {
    const codes = await askForDevice(service)
    return () => poll(service, codes)
  },
  ({ body }) => assert.ok(isPending(body.error)),
  ({ body }) => isPending(body.error),
)

export const deviceOperations: readonly Operation[] = [begin, enter, approve, deny, redeem, waiting]
