/** What operators, applications and owners ask about trusted issuers. */
import assert from 'node:assert/strict'
import type { Reachable } from '../support/browser.ts'
import { openCompany } from '../support/issuers.ts'
import { newName, newVisitor } from '../support/people.ts'
import { assertDone, type Operation, operation, reading } from './operation.ts'

/** A company, and somebody whose confirmed address it names. */
const newCompany = async (service: Reachable) => {
  const { id, operator, browser, username } = await newVisitor(service)
  const email = `${newName()}@example.com`
  const { body } = await operator('PATCH', `owners/${id}`, { email, email_verified: true })
  const { issuer, post } = service
  const there = { issuer, post, now: () => Number(body.updated_at) }
  const company = await openCompany(there, operator, { owner: 'email', id: newName() })
  const path = `issuers/${company.members.id}`
  const listed = async () => {
    const found = await operator('GET', `authorizations?client=${company.clientId}`)
    assert.equal(found.status, 200, found.text)
    const items: readonly { readonly id: string }[] = found.body.items
    return items
  }
  const open = async () => {
    const { status, text } = await company.ask(await company.jag(email))
    assert.equal(status, 200, text)
  }
  return { ...company, operator, browser, username, email, path, listed, open }
}

const createIssuer = operation('create issuer', 'createTrustedIssuer', async (service) => {
  const { operator, path, members } = await newCompany(service)
  assert.equal((await operator('DELETE', path)).status, 204)
  return {
    ask: () => operator('POST', 'issuers', members),
    settle: async (done) => {
      assertDone((await operator('GET', path)).status === 200, done)
      const again = await operator('POST', 'issuers', members)
      assert.ok([201, 409].includes(again.status))
      assert.equal((await operator('DELETE', path)).status, 204)
    },
  }
})

const changeIssuer = operation('change issuer', 'changeTrustedIssuer', async (service) => {
  const { operator, path } = await newCompany(service)
  return {
    ask: () => operator('PATCH', path, { title: 'New' }),
    settle: async (done) => {
      assertDone((await operator('GET', path)).body.title === 'New', done)
      assert.equal((await operator('DELETE', path)).status, 204)
    },
  }
})

/** What a deletion left over is gone after the next one. */
const deleteIssuer = operation('delete issuer', 'endTrustedIssuer', async (service) => {
  const { operator, path, listed, open } = await newCompany(service)
  await open()
  return {
    ask: () => operator('DELETE', path),
    settle: async (done) => {
      assertDone((await operator('GET', path)).status === 404, done)
      assert.ok([204, 404].includes((await operator('DELETE', path)).status))
      assert.deepEqual(await listed(), [])
    },
  }
})

const openAccess = operation('open access', 'redeemAssertion', async (service) => {
  const { operator, path, listed, ask, jag, email } = await newCompany(service)
  const assertion = await jag(email)
  return {
    ask: () => ask(assertion),
    settle: async (done) => {
      assertDone((await listed()).length === 1, done)
      const again = await ask(assertion)
      assert.ok([200, 400].includes(again.status))
      assert.equal((await listed()).length, 1)
      assert.equal((await operator('DELETE', path)).status, 204)
    },
  }
})

const allowAgain = operation('allow an issuer again', 'allowIssuerAgain', async (service) => {
  const { operator, path, listed, open, ask, jag, email, username, clientId } =
    await newCompany(service)
  await open()
  for (const { id } of await listed()) await operator('DELETE', `authorizations/${id}`)
  return {
    ask: () => operator('POST', `${path}/allow`, { username, client_id: clientId }),
    settle: async (done) => {
      assertDone((await ask(await jag(email))).status === 200, done)
      assert.equal((await operator('DELETE', path)).status, 204)
    },
  }
})

const see = ['issuers', 'issuers/'].map((place) =>
  reading(`see ${place}`, async (service) => {
    const { operator, path } = await newCompany(service)
    return () => operator('GET', place === 'issuers' ? place : path)
  }),
)

const seeOwn = reading('see what issuers opened', async (service) => {
  const { browser, open } = await newCompany(service)
  await open()
  return () => browser.ask('/account/issuers')
})

export const issuerOperations: readonly Operation[] = [
  createIssuer,
  changeIssuer,
  deleteIssuer,
  openAccess,
  allowAgain,
  ...see,
  seeOwn,
]
