/** An API elsewhere keeps the tokens that applications send it, and tries them at every other API. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { bearer } from '../flows/operator.ts'
import { houseApp, latchkeyAdmin, nightlyReport, photoPrinter } from '../support/demo-clients.ts'
import {
  obtainFor,
  orders,
  type ResourceValues,
  startWithElsewhere,
  tools,
} from '../support/elsewhere.ts'
import { codeRequest, obtainCode } from '../support/printing.ts'
import { startBefore } from '../support/start.ts'
import { assertRefused, introspect, redeem, refresh } from '../support/tokens.ts'

const service = startBefore(startWithElsewhere)

const inactive = { active: false }
const everything = 'openid profile tools orders photos contacts'

const obtain = (resource: ResourceValues, atToken?: ResourceValues) =>
  obtainFor(service, everything, resource, atToken)

/** The answers of all built-in APIs: those of owners, `/userinfo` and the admin API. */
const tryEverywhere = async (token: string): Promise<readonly unknown[]> => {
  const answers = []
  for (const path of ['/api/photos', '/api/contacts', '/userinfo', '/admin/api/owners']) {
    const { status, body } = await service.ask(path, bearer(token))
    answers.push([status, body.error ?? body.title ?? null])
  }
  return answers
}

const served = [200, null] as const
const refused = [401, 'invalid_token'] as const

describe('a token for one API', () => {
  test('elsewhere opens none of the built-in ones, whatever its owner allowed', async () => {
    const { access_token } = await obtain([tools, service.issuer], tools)
    assert.deepEqual(await tryEverywhere(access_token), [refused, refused, refused, refused])
    // It is alive all the same.
    assert.equal((await introspect(service, access_token, houseApp)).active, true)
  })

  test('elsewhere is inactive for another one elsewhere', async () => {
    const { access_token } = await obtain([tools, orders], tools)
    assert.deepEqual(await introspect(service, access_token, nightlyReport), inactive)
    const both = await obtain([tools, orders])
    assert.equal((await introspect(service, both.access_token, nightlyReport)).active, true)
  })

  test('of the service opens that one alone', async () => {
    const photos = await obtain([service.issuer, tools], `${service.issuer}/api/photos`)
    assert.deepEqual(await tryEverywhere(photos.access_token), [served, refused, refused, refused])
    assert.deepEqual(await introspect(service, photos.access_token, houseApp), inactive)
    const api = await obtain([service.issuer, tools], `${service.issuer}/api`)
    assert.deepEqual(await tryEverywhere(api.access_token), [served, served, refused, refused])
    const form = { grant_type: 'client_credentials', resource: `${service.issuer}/admin/api` }
    const { body } = await service.post('/token', form, latchkeyAdmin)
    assert.deepEqual(await tryEverywhere(body.access_token), [refused, refused, refused, served])
  })

  test('does not tell its API of other permissions, nor of refresh tokens', async () => {
    const tokens = await obtain([tools, service.issuer])
    const told = await introspect(service, tokens.access_token, houseApp)
    assert.equal(told.scope, 'tools:read tools:write')
    assert.deepEqual(await introspect(service, tokens.refresh_token, houseApp), inactive)
  })
})

describe('a code or a refresh token for one API', () => {
  const beyond = `resource asks for more than was approved: approved is only ${tools}`
  const request = {
    ...codeRequest,
    scope: 'tools orders photos',
    resource: tools,
    prompt: 'consent',
  }

  const others = (): readonly ResourceValues[] => [
    orders,
    service.issuer,
    `${service.issuer}/api/photos`,
    `${service.issuer}/api`,
    `${service.issuer}/admin/api`,
    [tools, orders],
    [orders, tools],
    [tools, `${service.issuer}/api/photos`],
  ]

  test('is none for another, and not used up: a code', async () => {
    const code = await obtainCode(service, request)
    for (const resource of others()) {
      const answer = await redeem(service, code, photoPrinter, { resource })
      assertRefused(answer, 'invalid_target', beyond)
    }
    assert.equal((await redeem(service, code)).body.scope, 'tools:read tools:write')
  })

  test('is none for another, and not used up: a refresh token', async () => {
    const first = (await redeem(service, await obtainCode(service, request))).body
    for (const resource of others()) {
      const answer = await refresh(service, first.refresh_token, photoPrinter, { resource })
      assertRefused(answer, 'invalid_target', beyond)
    }
    const wider = await refresh(service, first.refresh_token, photoPrinter, {
      scope: 'tools photos',
    })
    assert.equal(wider.body.error, 'invalid_scope')
    const next = (await refresh(service, first.refresh_token)).body
    assert.equal(next.scope, 'tools:read tools:write')
    assert.deepEqual((await introspect(service, next.access_token)).aud, [tools])
  })

  test('gets no wider by a later approval of more for the same application', async () => {
    const narrow = (await redeem(service, await obtainCode(service, request))).body
    await obtain([tools, orders, service.issuer])
    const next = (await refresh(service, narrow.refresh_token)).body
    assert.equal(next.scope, 'tools:read tools:write')
    const answer = await refresh(service, next.refresh_token, photoPrinter, { resource: orders })
    assertRefused(answer, 'invalid_target', beyond)
  })

  test('leads with its words to /userinfo alone', async () => {
    const { refresh_token } = await obtain(tools)
    const { issuer } = service
    const { body } = await refresh(service, refresh_token, photoPrinter, { resource: issuer })
    assert.equal(body.scope, 'openid profile')
    const answers = await tryEverywhere(body.access_token)
    assert.deepEqual(answers, [refused, refused, served, refused])
    assert.deepEqual(await introspect(service, body.access_token, houseApp), inactive)
  })
})
