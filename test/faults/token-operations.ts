/** What clients ask of the endpoints for tokens. */
import assert from 'node:assert/strict'
import { readAccessToken } from '../../src/tokens/formats/opaque.ts'
import { operatorOf } from '../flows/operator.ts'
import type { Reachable } from '../support/browser.ts'
import { houseApp, nightlyReport, photoPrinter } from '../support/demo-clients.ts'
import { makeProver } from '../support/dpop.ts'
import { galleryRequest, redeemPublicly, verifier } from '../support/gallery.ts'
import { newPerson } from '../support/people.ts'
import { type Answer, basic } from '../support/start.ts'
import {
  assertDone,
  introspect,
  isActive,
  isInvalidGrant,
  newCode,
  newTokens,
  type Operation,
  operation,
  passwordGrant,
  reading,
  redeemCode,
  refresh,
} from './operation.ts'

const won = (answers: readonly Answer[]): readonly Answer[] =>
  answers.filter(({ status }) => status === 200)

/** (b): at most one of all who present a code gets something, and a replay leaves nothing of it. */
const exchangeCode = operation('code exchange', 'redeemCode', async (service) => {
  const { code } = await newCode(service)
  const ask = () => redeemCode(service, code)
  return {
    ask,
    settle: async (done, answers) => {
      const all = [...answers, await ask()]
      assert.ok(won(all).length <= 1, 'a code succeeded twice')
      const again = all.at(-1)
      if (done !== null) assert.equal(again?.status, done ? 400 : 200)
      const { status } = again ?? {}
      for (const { body } of won(all)) {
        assert.equal(await isActive(service, body.access_token, photoPrinter), status === 200)
      }
    },
  }
})

const exchangeReplayedCode = operation(
  'replayed code',
  'redeemCode',
  async (service) => {
    const { code } = await newCode(service)
    const { body } = await redeemCode(service, code)
    return {
      ask: () => redeemCode(service, code),
      settle: async (done) => {
        assertDone(!(await isActive(service, body.access_token, photoPrinter)), done)
        assert.ok(isInvalidGrant(await redeemCode(service, code)))
        assert.equal(await isActive(service, body.access_token, photoPrinter), false)
      },
    }
  },
  isInvalidGrant,
)

const exchangeWithWrongVerifier = operation(
  'code with a wrong verifier',
  'redeemCode',
  async (service) => {
    const { code } = await newCode(service, galleryRequest)
    const wrong = { code_verifier: `${verifier.slice(0, -1)}_` }
    return {
      ask: () => redeemPublicly(service, code, wrong),
      settle: async (done) => {
        const right = await redeemPublicly(service, code)
        if (done !== null) assert.equal(right.status, done ? 400 : 200)
      },
    }
  },
  isInvalidGrant,
)

/** A repeated refresh has the same successor, so a lost answer costs nobody anything. */
const refreshOnce = operation('refresh', 'rotateRefreshToken', async (service) => {
  const { access_token, refresh_token } = await newTokens(service)
  const ask = () => refresh(service, refresh_token)
  return {
    ask,
    settle: async (_done, answers) => {
      const again = await ask()
      assert.equal(again.status, 200, again.text)
      const successors = new Set(won([...answers, again]).map(({ body }) => body.refresh_token))
      assert.equal(successors.size, 1)
      const next = await refresh(service, again.body.refresh_token)
      assert.equal(next.status, 200, next.text)
      assert.equal(await isActive(service, access_token), true)
    },
  }
})

const refreshStolen = operation(
  'reused refresh token',
  'rotateRefreshToken',
  async (service) => {
    const { refresh_token, access_token } = await newTokens(service)
    const one = await refresh(service, refresh_token)
    const two = await refresh(service, one.body.refresh_token)
    return {
      ask: () => refresh(service, refresh_token),
      settle: async (done) => {
        assertDone(!(await isActive(service, access_token)), done)
        const last = await refresh(service, two.body.refresh_token)
        if (done !== null) assert.equal(last.status, done ? 400 : 200)
      },
    }
  },
  isInvalidGrant,
)

const revoke = (
  service: Reachable,
  token: string,
  client = houseApp as readonly [string, string],
) => service.post('/revoke', { token }, client)

/** (c): whoever asks after the answer sees it gone. */
const revokeAccessToken = operation('revoke access token', 'endToken', async (service) => {
  const { access_token, refresh_token } = await newTokens(service)
  return {
    ask: () => revoke(service, access_token),
    settle: async (done) => {
      assertDone(!(await isActive(service, access_token)), done)
      assert.equal((await revoke(service, access_token)).status, 200)
      assert.equal(await isActive(service, access_token), false)
      assert.equal((await refresh(service, refresh_token)).status, 200)
    },
  }
})

const revokeRefreshToken = operation('revoke refresh token', 'endFamily', async (service) => {
  const { access_token, refresh_token } = await newTokens(service)
  return {
    ask: () => revoke(service, refresh_token),
    settle: async (done) => {
      assertDone(!(await isActive(service, access_token)), done)
      assert.equal((await revoke(service, refresh_token)).status, 200)
      assert.equal(await isActive(service, access_token), false)
      assert.equal((await refresh(service, refresh_token)).status, 400)
    },
  }
})

const clientToken = async (service: Reachable): Promise<string> =>
  (await service.post('/token', { grant_type: 'client_credentials' }, nightlyReport)).body
    .access_token

const revokeClientToken = operation('revoke client token', 'endToken', async (service) => {
  const token = await clientToken(service)
  return {
    ask: () => revoke(service, token, nightlyReport),
    settle: async (done) => {
      assertDone(!(await isActive(service, token, nightlyReport)), done)
      assert.equal((await revoke(service, token, nightlyReport)).status, 200)
      assert.equal(await isActive(service, token, nightlyReport), false)
    },
  }
})

const introspectLive = reading(
  'introspect',
  async (service) => {
    const { access_token } = await newTokens(service)
    return () => introspect(service, access_token)
  },
  ({ body }) => assert.equal(body.active, true),
)

const introspectRevoked = reading(
  'introspect revoked',
  async (service) => {
    const { access_token } = await newTokens(service)
    await revoke(service, access_token)
    return () => introspect(service, access_token)
  },
  ({ body }) => assert.deepEqual(body, { active: false }),
)

/** A token with an unknown key: the store is asked for that key. */
const introspectForeign = reading(
  'introspect foreign key',
  async (service) => {
    const { access_token } = await newTokens(service)
    const body = access_token.slice('lk_at_'.length, -43)
    const { keyId } = readAccessToken(access_token) ?? assert.fail(access_token)
    const said = Buffer.from(body, 'base64url').toString('latin1')
    const forged = said.replace(keyId, keyId.split('').reverse().join(''))
    const text = Buffer.from(forged, 'latin1').toString('base64url')
    const token = `lk_at_${text}${access_token.slice(-43)}`
    return () => introspect(service, token)
  },
  ({ body }) => assert.deepEqual(body, { active: false }),
)

const grantByPassword = operation('password grant', 'startFamily', async (service) => {
  const { id, username } = await newPerson(service)
  const ask = () => passwordGrant(service, username)
  return {
    ask,
    settle: async (done, answers) => {
      const { body } = await (await operatorOf(service))('GET', `authorizations?owner=${id}`)
      assertDone(body.items.length === 1, done)
      const again = await ask()
      assert.equal(again.status, 200, again.text)
      for (const one of won([...answers, again])) {
        assert.equal(await isActive(service, one.body.access_token), true)
      }
    },
  }
})

const grantByWrongPassword = operation(
  'wrong password',
  'appendEvent',
  async (service) => {
    const { username } = await newPerson(service)
    return {
      ask: () => passwordGrant(service, username, 'a wrong one'),
      settle: async () => {
        const right = await passwordGrant(service, username)
        assert.equal(right.status, 200, right.text)
      },
    }
  },
  isInvalidGrant,
)

const grantToClient = reading(
  'client credentials',
  async (service) => () =>
    service.post('/token', { grant_type: 'client_credentials' }, nightlyReport),
)

/** A proof counts once, and one that was refused for want of the store may come again. */
const grantWithProof = operation('client credentials with a proof', 'claimId', async (service) => {
  const { body } = await introspect(service, await clientToken(service), nightlyReport)
  const prover = await makeProver(() => body.iat)
  const dpop = await prover.prove('POST', `${service.issuer}/token`)
  const form = { grant_type: 'client_credentials' }
  const headers = { dpop, authorization: basic(nightlyReport) }
  const ask = () => service.ask('/token', { form, headers })
  return {
    ask,
    settle: async (done, answers) => {
      const again = await ask()
      assert.ok(won([...answers, again]).length <= 1, 'a proof counted twice')
      if (done !== null) assert.equal(again.status, done ? 400 : 200, again.text)
    },
  }
})

export const tokenOperations: readonly Operation[] = [
  exchangeCode,
  exchangeReplayedCode,
  exchangeWithWrongVerifier,
  refreshOnce,
  refreshStolen,
  revokeAccessToken,
  revokeRefreshToken,
  revokeClientToken,
  introspectLive,
  introspectRevoked,
  introspectForeign,
  grantByPassword,
  grantByWrongPassword,
  grantToClient,
  grantWithProof,
]
