/** A code in the wrong hands or the wrong browser (RFC 9700 section 4.5). */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { hashText } from '../../src/crypto/digest.ts'
import { operatorOf } from '../flows/operator.ts'
import { answerOf, Browser } from '../support/browser.ts'
import { photoPrinter } from '../support/demo-clients.ts'
import { told } from '../support/events.ts'
import { challenge, galleryRequest, redeemPublicly, verifier } from '../support/gallery.ts'
import { authorizePath, callback, codeRequest, obtainCode } from '../support/printing.ts'
import { start, startBefore } from '../support/start.ts'
import { assertRefused, type Credentials, redeem, use } from '../support/tokens.ts'
import { deadCode } from '../support/told.ts'

/** A second confidential client, with the same redirect URI as the first. */
let rival: Credentials
const service = startBefore(start, async () => {
  const operator = await operatorOf(service)
  const { body } = await operator('POST', 'clients', {
    redirect_uris: [callback],
    grant_types: ['authorization_code', 'refresh_token'],
  })
  rival = [body.client_id, body.client_secret]
})

const otherVerifier = 'B'.repeat(64)
const otherChallenge = { code_challenge: hashText(otherVerifier), code_challenge_method: 'S256' }

/** A code that was approved in a new browser by whomever. */
const approvedBy = async (username: string, password: string, request = codeRequest) => {
  const browser = new Browser(service)
  const login = await browser.go(authorizePath(request))
  const consent = await browser.logIn(login, username, password)
  const page = consent.url.includes('/consent')
    ? await browser.submit(consent, { decision: 'allow' })
    : consent
  return answerOf(page).code ?? ''
}

describe('AC-04: a code of one client, presented by another', () => {
  const thefts: Readonly<Record<string, (code: string) => ReturnType<typeof redeem>>> = {
    'with the authentication of the other': (code) => redeem(service, code, rival),
    'with the secret of the other in the body': (code) =>
      redeem(service, code, null, { client_id: rival[0], client_secret: rival[1] }),
    'by a public client': (code) => redeemPublicly(service, code, { redirect_uri: callback }),
    'by a public client without a verifier': (code) =>
      redeemPublicly(service, code, { redirect_uri: callback, code_verifier: undefined }),
  }
  for (const [name, steal] of Object.entries(thefts)) {
    test(`${name}: refused, and its own client can still redeem it`, async () => {
      const code = await obtainCode(service)
      assertRefused(await steal(code), 'invalid_grant', deadCode)
      assert.equal((await redeem(service, code)).status, 200)
    })
  }

  test("with the name of the one and the other's header", async () => {
    const code = await obtainCode(service)
    const answer = await redeem(service, code, rival, { client_id: 'photo-printer' })
    const said = 'client_id in the body differs from the one in the Authorization header'
    assertRefused(answer, 'invalid_request', said)
    assert.equal((await redeem(service, code)).status, 200)
  })

  test('a code of a public client is of no use to a confidential one', async () => {
    const code = await obtainCode(service, galleryRequest)
    const changes = { redirect_uri: galleryRequest.redirect_uri, code_verifier: verifier }
    const answer = await redeem(service, code, photoPrinter, changes)
    assertRefused(answer, 'invalid_grant', deadCode)
    assert.equal((await redeemPublicly(service, code)).status, 200)
  })
})

describe("AC-12: a victim's code in the attacker's browser", () => {
  test("does not fit the attacker's verifier, and is of no use afterwards (AC-09)", async () => {
    const stolen = await approvedBy('alice', 'wonderland', { ...codeRequest, ...challenge })
    const answer = await redeem(service, stolen, photoPrinter, { code_verifier: otherVerifier })
    assertRefused(answer, 'invalid_grant', deadCode)
    const later = await redeem(service, stolen, photoPrinter, { code_verifier: verifier })
    assertRefused(later, 'invalid_grant', deadCode)
  })

  test("the attacker's code in the victim's browser does not fit either", async () => {
    const injected = await approvedBy('bob', 'builder', { ...codeRequest, ...otherChallenge })
    const answer = await redeem(service, injected, photoPrinter, { code_verifier: verifier })
    assertRefused(answer, 'invalid_grant', deadCode)
  })

  test('also of a public client', async () => {
    const code = await obtainCode(service, galleryRequest)
    const answer = await redeemPublicly(service, code, { code_verifier: otherVerifier })
    assertRefused(answer, 'invalid_grant', deadCode)
    assertRefused(await redeemPublicly(service, code), 'invalid_grant', deadCode)
  })

  test('AC-09: nobody can try verifiers one after the other', async () => {
    const operator = await operatorOf(service)
    const code = await obtainCode(service, { ...codeRequest, ...challenge })
    await service.advance(1)
    const reasons: unknown[] = []
    for (const guess of ['x'.repeat(43), 'y'.repeat(43), verifier]) {
      const answer = await redeem(service, code, photoPrinter, { code_verifier: guess })
      assertRefused(answer, 'invalid_grant', deadCode)
      reasons.push(service.notices.at(-1)?.reason)
    }
    assert.deepEqual(reasons, ['wrong_code_verifier', 'code_replayed', 'code_replayed'])
    assert.deepEqual(await told(operator, service.now()), ['code.burned'])
  })

  test('a verifier that is not well-formed fits nothing', async () => {
    // Their digests are right; RFC 7636 section 4.1 allows 43 to 128 unreserved characters.
    const malformed = ['x'.repeat(42), 'x'.repeat(129), `${'x'.repeat(50)} `, 'ä'.repeat(43)]
    for (const code_verifier of malformed) {
      const code_challenge = hashText(code_verifier)
      const request = { ...codeRequest, code_challenge, code_challenge_method: 'S256' }
      const code = await obtainCode(service, request)
      const answer = await redeem(service, code, photoPrinter, { code_verifier })
      assertRefused(answer, 'invalid_grant', deadCode)
    }
  })
})

describe('a code that was made for another redirect', () => {
  test('is refused at the one that the thief uses', async () => {
    const redirect_uri = 'http://127.0.0.1:50000/callback'
    const code = await obtainCode(service, { ...codeRequest, redirect_uri })
    for (const uri of [callback, 'http://127.0.0.1:50001/callback', 'https://thief.example/']) {
      const answer = await redeem(service, code, photoPrinter, { redirect_uri: uri })
      assertRefused(answer, 'invalid_grant', deadCode)
    }
    const { body } = await redeem(service, code, photoPrinter, { redirect_uri })
    assert.equal(await use(service, body.access_token), 200)
  })
})
