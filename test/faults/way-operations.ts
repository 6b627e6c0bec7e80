/** Links and the queue of mails, as operations for planted faults. */
import assert from 'node:assert/strict'
import { Browser, type Reachable } from '../support/browser.ts'
import { mailsIn } from '../support/mailbox.ts'
import { newName, newPerson, password } from '../support/people.ts'
import { assertDone, type Operation, operation, passwordGrant } from './operation.ts'

const chosen = 'another good password'

const newAddress = (): string => `${newName()}@example.net`

const mailTo = async (service: Reachable, email: string) =>
  (await mailsIn(service)).find(({ to }) => to === email)

/** A page behind a link that the operator made, and the person. */
const openLink = async (service: Reachable, purpose: string) => {
  const person = await newPerson(service)
  const { id, operator } = person
  await operator('PATCH', `owners/${id}`, { email: newAddress() })
  const { body } = await operator('POST', `owners/${id}/links`, { purpose })
  const browser = new Browser(service)
  return { ...person, browser, page: await browser.go(body.link) }
}

const resetByLink = operation('reset a password', 'changePassword', async (service) => {
  const { browser, page, username } = await openLink(service, 'reset')
  return {
    ask: () => browser.submit(page, { password: chosen }),
    settle: async (done) => {
      assertDone((await passwordGrant(service, username, chosen)).status === 200, done)
      const old = await passwordGrant(service, username, password)
      if (done !== null) assert.equal(old.status === 200, !done)
    },
  }
})

const confirmByLink = operation('confirm an address', 'confirmEmail', async (service) => {
  const { browser, page, id, operator } = await openLink(service, 'verify')
  return {
    ask: () => browser.submit(page),
    settle: async (done) => {
      const { body } = await operator('GET', `owners/${id}`)
      assertDone(body.email_verified, done)
    },
  }
})

/** @param pass lets time go by, so that requests for mails do not wait for one another */
export const wayOperations = (pass: (seconds: number) => void): readonly Operation[] => {
  const askFor = async (service: Reachable, way: 'forgot' | 'signup') => {
    pass(3600)
    const browser = new Browser(service)
    return { browser, page: await browser.go(`/${way}`) }
  }

  const askForReset = operation('ask for a link', 'queueMail', async (service) => {
    const { id, username, operator } = await newPerson(service)
    const email = newAddress()
    await operator('PATCH', `owners/${id}`, { email })
    const { browser, page } = await askFor(service, 'forgot')
    return {
      ask: () => browser.submit(page, { username }),
      settle: async (done) => assertDone((await mailTo(service, email)) !== undefined, done),
    }
  })

  const signUp = operation('sign up', 'signUp', async (service) => {
    const email = newAddress()
    const { browser, page } = await askFor(service, 'signup')
    await browser.submit(page, { email })
    const mail = await mailTo(service, email)
    assert.ok(mail)
    const form = await browser.go(mail.link)
    return {
      ask: () => browser.submit(form, { password: chosen }),
      settle: async (done) =>
        assertDone((await passwordGrant(service, email, chosen)).status === 200, done),
    }
  })

  const cancelMail = operation('cancel a mail', 'cancelMails', async (service) => {
    const email = newAddress()
    const { browser, page } = await askFor(service, 'signup')
    const sent = await browser.submit(page, { email })
    const mail = await mailTo(service, email)
    assert.ok(mail)
    return {
      ask: () => browser.submit(sent, { action: 'cancel' }),
      settle: async (done) =>
        assertDone((await new Browser(service).go(mail.link)).status === 410, done),
    }
  })

  return [resetByLink, confirmByLink, askForReset, signUp, cancelMail]
}
