/** The playground's flows of OpenID Connect: people log in, are asked again, and log out. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { decodeJwt } from 'jose'
import { type Listener, listen } from '../../src/http/listen.ts'
import { formsOf } from '../support/browser.ts'
import {
  answered,
  checksOf,
  fieldsUnder,
  linkOf,
  messagesOf,
  Player,
  statusesOf,
} from '../support/player.ts'
import { type Started, start, startBefore } from '../support/start.ts'

let started: Started
let player: Player
let listener: Listener
before(async () => {
  // The service tells its own receiver of logouts, so it needs a port.
  listener = await listen({ port: 0, host: '127.0.0.1' })
  started = await start({ issuer: `http://127.0.0.1:${listener.port}` })
  listener.serve(started.server().respond, started.server().onFault)
})
after(async () => {
  await listener.close()
  await started.close()
})
beforeEach(() => {
  player = new Player(started)
})

const believed = /the client believes the answer/

const claimsIn = (page: Parameters<typeof fieldsUnder>[1]) => fieldsUnder('Claims of the JWT', page)
const headerIn = (page: Parameters<typeof fieldsUnder>[1]) => fieldsUnder('Header of the JWT', page)

/** The error that a redirect brings. */
const errorIn = (page: Parameters<typeof fieldsUnder>[1]): string | undefined =>
  /[?&#]error=(\w+)/.exec(messagesOf(page)[1] ?? '')?.[1]

/** Why the last refused request was refused. */
const lastReason = ({ notices }: Started) =>
  notices.findLast(({ reason }) => typeof reason === 'string')?.reason

/** Breaks a flow at each step, and expects the error beside it. */
const assertErrors = async (
  flow: string,
  errors: Readonly<Record<string, string>>,
): Promise<void> => {
  for (const [step, error] of Object.entries(errors)) {
    assert.equal(errorIn(await player.breakIt(flow, step)), error)
  }
}

describe('login', () => {
  test('an ID token is read and checked, and a refresh brings another', async () => {
    const back = await player.visit('login')
    assert.match(back.text, believed)
    const tokens = answered(await player.play('login', ['exchange-login']))
    assert.equal(tokens.scope, 'email openid profile')
    const checked = await player.play('login', ['check-id-token'])
    assert.deepEqual(checksOf(checked), {
      signature: true,
      exp: true,
      iss: true,
      aud: true,
      nonce: true,
      at_hash: true,
    })
    assert.equal(headerIn(checked).alg, 'RS256')
    const { sub, aud, acr, auth_time } = claimsIn(checked)
    assert.deepEqual([aud, acr], ['photo-printer', '1'])
    const told = answered(await player.play('login', ['userinfo']))
    assert.deepEqual(
      [told.sub, told.email, told.phone_number],
      [sub, 'alice@example.com', undefined],
    )
    const refreshed = await player.play('login', ['refresh-login'])
    assert.equal(claimsIn(refreshed).auth_time, auth_time)
    assert.deepEqual(checksOf(refreshed), {
      signature: true,
      exp: true,
      iss: true,
      aud: true,
      at_hash: true,
      nonce: true,
    })
    assert.equal(claimsIn(refreshed).nonce, undefined)
  })

  test('every way to break it', async () => {
    await player.visit('login')
    const foreign = await player.breakIt('login', 'foreign-code')
    assert.equal(answered(foreign).error, 'invalid_grant')
    await player.play('login', ['exchange-login', 'refresh-login'])
    assert.deepEqual(statusesOf(await player.breakIt('login', 'id-token-for-access')), [401, 401])
    for (const step of ['other-nonce', 'no-nonce']) {
      const { nonce, ...others } = checksOf(await player.breakIt('login', step))
      assert.deepEqual([nonce, Object.values(others).every((holds) => holds)], [false, true])
    }
  })
})

describe('hybrid', () => {
  test('the code is redeemed once the ID token vouches for it', async () => {
    await player.play('hybrid', ['register-hybrid'])
    const back = await player.visit('hybrid', 'allow', 'ask-hybrid')
    const taken = await player.press('hybrid', 'arrive-hybrid', { typed: back.url })
    assert.match(taken.text, believed)
    const checked = await player.play('hybrid', ['check-front'])
    assert.deepEqual([headerIn(checked).alg, checksOf(checked).c_hash], ['ES256', true])
    assert.equal(checksOf(await player.breakIt('hybrid', 'swapped-code')).c_hash, false)
    await player.play('hybrid', ['exchange-hybrid'])
  })

  test('a form brings an ID token, and no token is in a URL', async () => {
    await player.play('hybrid', ['register-hybrid'])
    const back = await player.visit('hybrid', 'allow', 'ask-form-post')
    assert.match(back.text, believed)
    assert.match(back.url, /\?step=arrive-form$/)
    assert.match(messagesOf(back)[0] ?? '', /^POST \/callback HTTP[\s\S]*id_token=/)
    const claims = claimsIn(await player.play('hybrid', ['check-posted']))
    assert.equal(claims.name, 'Alice Liddell')
  })

  test('a form is taken once, and by its own browser', async () => {
    const form = { state: 'hybrid.x', id_token: 'x' }
    const first = await player.browser.ask('/callback', form)
    const way = first.headers.get('location') ?? ''
    assert.match(way, /\/playground\/hybrid\/arrival\?posted=[\w-]+$/)
    for (const arrived of [await player.browser.go(way), await player.browser.go(way)]) {
      assert.doesNotMatch(arrived.text, believed)
    }
  })

  test('every way to break it', async () => {
    await player.play('hybrid', ['register-hybrid'])
    await assertErrors('hybrid', {
      'hybrid-without-nonce': 'invalid_request',
      'type-not-registered': 'unauthorized_client',
      'mode-query': 'invalid_request',
    })
  })
})

describe('claims', () => {
  const told = async (untick: readonly string[]) => {
    await player.play('claims', ['register-claims'])
    const page = await player.show('claims', 'ask-claims')
    const login = await player.browser.go(linkOf(page))
    const consent = await player.browser.logIn(login, 'alice', 'wonderland')
    const [form] = formsOf(consent.text)
    assert.ok(form)
    const allowed = (form.fields.permission ?? []).filter((word) => !untick.includes(word))
    const back = await player.browser.submitForm(consent, form, {
      permission: allowed,
      decision: 'allow',
    })
    assert.match(back.text, believed)
    await player.play('claims', ['exchange-login'])
    return answered(await player.play('claims', ['told-claims']))
  }

  test('one that the owner unticks tells nothing', async () => {
    assert.deepEqual(Object.keys(await told(['phone'])), ['sub'])
    const inside = claimsIn(await player.play('claims', ['claims-inside']))
    assert.deepEqual([inside.email, inside.phone_number], ['alice@example.com', undefined])
    assert.equal(answered(await player.breakIt('claims', 'wider-claims')).error, 'invalid_scope')
  })

  test('one that the owner allows is told, and no other of its row', async () => {
    assert.deepEqual(Object.keys(await told([])).toSorted(), ['phone_number', 'sub'])
  })

  test('a parameter that is no JSON', async () => {
    await player.play('claims', ['register-claims'])
    await assertErrors('claims', { 'broken-claims': 'invalid_request' })
  })
})

describe('step up', () => {
  test('a fresh login, an unreachable one, and none at all', async () => {
    await player.visit('login')
    const page = await player.show('step-up')
    const asked = await player.browser.go(linkOf(page))
    assert.match(asked.url, /\/login\?/)
    await started.advance(60)
    assert.match((await player.visit('step-up')).text, believed)
    await player.play('step-up', ['exchange-login'])
    const { auth_time: at, acr } = claimsIn(await player.play('step-up', ['check-strength']))
    assert.deepEqual([Number(at), acr], [started.now(), '1'])
    for (const [step, arrival] of [
      ['ask-strong', 'arrive-unmet'],
      ['ask-silently', 'arrive-silent'],
    ] as const) {
      const back = await player.visit('step-up', 'allow', step)
      assert.ok(back.url.endsWith(`?step=${arrival}`), back.url)
      assert.match(back.text, /the error is the one that this step is about/)
    }
    await player.play('step-up', ['check-strength'])
  })

  test('every way to break it', async () => {
    await assertErrors('step-up', {
      'silent-stranger': 'login_required',
      'silent-and-loud': 'invalid_request',
    })
  })
})

describe('logout', () => {
  test('the hint is proof enough, and a signed token tells of it', async () => {
    await player.play('logout', ['register-logout'])
    await player.visit('logout', 'allow', 'ask-openid')
    await player.play('logout', ['exchange-login'])
    const { sid } = decodeJwt(
      String(answered(await player.show('logout', 'exchange-login')).id_token),
    )
    const asking = await player.show('logout', 'logout-by-link')
    const page = await player.browser.go(linkOf(asking))
    assert.match(page.text, /name="decision" value="stay"/)
    assert.deepEqual(statusesOf(await player.breakIt('logout', 'foreign-return')), [400])
    const back = await player.visit('logout', 'allow', 'log-out')
    assert.match(back.url, /step=arrive-logged-out$/)
    assert.match(back.text, /the logout that it asked for has ended/)
    await started.advance(1)
    const read = await player.play('logout', ['logout-token'])
    assert.deepEqual(checksOf(read), {
      signature: true,
      exp: true,
      typ: true,
      iss: true,
      aud: true,
      events: true,
      nonce: true,
    })
    assert.equal(claimsIn(read).sid, sid)
    assert.equal(checksOf(await player.breakIt('logout', 'logout-token-as-login')).typ, false)
    assert.deepEqual(statusesOf(await player.breakIt('logout', 'forged-logout-token')), [400])
  })

  test('a receiver that has heard nothing says so', async () => {
    const { status, body } = await started.ask('/logouts/nobody')
    assert.deepEqual([status, body.error], [404, 'not_found'])
  })
})

describe('jwt', () => {
  test('an API reads it, and hears of its end', async () => {
    await player.play('jwt', ['add-jwt-api', 'jwt-token'])
    const read = await player.play('jwt', ['check-jwt'])
    assert.deepEqual(checksOf(read), {
      signature: true,
      exp: true,
      typ: true,
      iss: true,
      aud: true,
    })
    await player.play('jwt', ['follow-feed'])
    for (const step of ['unsigned-jwt', 'changed-jwt']) {
      assert.deepEqual(answered(await player.breakIt('jwt', step)), { active: false })
    }
    await player.breakIt('jwt', 'jwt-elsewhere')
    const revoked = await player.play('jwt', ['revoke-jwt'])
    assert.deepEqual(answered(revoked, 1), { active: false })
    assert.ok(claimsIn(revoked).events?.includes(claimsIn(read).jti ?? '?'))
    assert.deepEqual(statusesOf(await player.play('jwt', ['remove-jwt-api'])), [200, 204, 204])
  })
})

describe('a token that is bound to a key', () => {
  test('works with a new proof of it for each request, and in no other way', async () => {
    const got = await player.play('dpop', ['dpop-token'])
    assert.deepEqual(statusesOf(got), [200, 200])
    assert.equal(answered(got).token_type, 'DPoP')
    const { cnf } = answered(got, 1)
    assert.deepEqual(Object.keys(cnf ?? {}), ['jkt'])
    for (let time = 0; time < 2; time++) {
      assert.deepEqual(statusesOf(await player.play('dpop', ['dpop-read'])), [200])
    }
    const attacks = {
      'dpop-without-key': 'invalid_token',
      'dpop-replay': 'invalid_dpop_proof',
      'dpop-other-key': 'invalid_token',
      'dpop-other-request': 'invalid_dpop_proof',
    }
    for (const [attack, error] of Object.entries(attacks)) {
      const page = await player.breakIt('dpop', attack)
      assert.equal(statusesOf(page).at(-1), 401)
      assert.equal(answered(page, statusesOf(page).length - 1).error, error)
    }
  })
})

describe('a client without a secret on the way', () => {
  const flows = [
    [
      'assertion',
      ['register-key-holder', 'assertion-token', 'read'],
      {
        'assertion-replay': 'assertion_replayed',
        'assertion-elsewhere': 'assertion_audience',
        'assertion-other-key': 'assertion_signature',
        'assertion-unsigned': 'assertion_algorithm',
      },
    ],
    [
      'secret-assertion',
      ['register-secret-signer', 'secret-assertion-token', 'read'],
      {
        'secret-itself': 'other_method',
        'guessed-secret': 'assertion_tag',
        'secret-assertion-replay': 'assertion_replayed',
      },
    ],
    [
      'platform',
      ['register-platform', 'platform-token', 'platform-token', 'read'],
      {
        'other-branch': 'unknown_platform',
        'other-platform-audience': 'unknown_platform',
        'other-platform': 'assertion_signature',
      },
    ],
  ] as const
  for (const [flow, steps, attacks] of flows) {
    test(`${flow}: a JWT proves it, and no other one does`, async () => {
      assert.deepEqual(statusesOf(await player.play(flow, steps)), [200])
      for (const [attack, reason] of Object.entries(attacks)) {
        const isReplay = reason === 'assertion_replayed'
        const page = await player.breakIt(flow, attack)
        assert.deepEqual([attack, statusesOf(page)], [attack, isReplay ? [200, 401] : [401]])
        assert.equal(answered(page, isReplay ? 1 : 0).error, 'invalid_client')
        assert.deepEqual([attack, lastReason(started)], [attack, reason])
      }
      await player.play(flow, steps.slice(1))
    })
  }
})

describe('a certificate', () => {
  const proxy = '198.51.100.7'
  const service = startBefore(() => start({ trustedProxies: [`${proxy}/30`] }))
  beforeEach(() => {
    player = new Player(service)
  })

  test('is believed from the proxy alone, and opens what is bound to it', async () => {
    const got = await player.play('certificate', ['register-certificate', 'certificate-token'])
    assert.deepEqual(statusesOf(got), [200, 200])
    assert.deepEqual(Object.keys(answered(got, 1).cnf ?? {}), ['x5t#S256'])
    assert.deepEqual(statusesOf(await player.play('certificate', ['certificate-read'])), [200])
    const attacks = {
      'forged-certificate': 'missing_certificate',
      'other-certificate': 'unknown_certificate',
      'without-certificate': 'token_without_certificate',
      'token-and-other-certificate': 'token_of_other_certificate',
    }
    for (const [attack, reason] of Object.entries(attacks)) {
      const page = await player.breakIt('certificate', attack)
      assert.deepEqual([attack, statusesOf(page)], [attack, [401]])
      assert.deepEqual([attack, lastReason(service)], [attack, reason])
    }
    await player.play('certificate', ['certificate-read'])
  })

  test('has no flow where no proxy is believed', async () => {
    assert.equal((await started.ask('/playground/certificate')).status, 404)
  })
})

describe('pairwise', () => {
  test('two clients, two subjects', async () => {
    await player.play('pairwise', ['register-pairwise'])
    await player.visit('pairwise', 'allow', 'ask-first')
    await player.play('pairwise', ['exchange-login'])
    const back = await player.visit('pairwise', 'allow', 'ask-second')
    assert.match(back.text, believed)
    await player.play('pairwise', ['exchange-second'])
    const page = await player.play('pairwise', ['two-subjects'])
    const subjects = [answered(page, 0).sub, answered(page, 1).sub]
    assert.equal(new Set(subjects).size, 2)
    assert.ok(subjects.every((sub) => typeof sub === 'string'))
    const refused = await player.breakIt('pairwise', 'many-hosts')
    assert.equal(answered(refused).error, 'invalid_client_metadata')
  })
})

describe('signed request', () => {
  test('the object alone is the request, and only as it was signed', async () => {
    await player.play('signed-request', ['register-signer'])
    await assertErrors('signed-request', {
      'unsigned-request': 'invalid_request_object',
      'changed-request': 'invalid_request_object',
      'plain-request': 'invalid_request',
    })
    const back = await player.visit('signed-request', 'allow', 'ask-signed')
    assert.match(back.text, believed)
    const checked = await player.play('signed-request', ['exchange-login', 'check-id-token'])
    assert.equal(checksOf(checked).nonce, true)
  })
})

describe('pushed request', () => {
  test('the reference counts once, for its client, as it was answered', async () => {
    const pushed = await player.play('pushed-request', ['push'])
    assert.deepEqual(statusesOf(pushed), [201])
    assert.equal(await player.has('pushed-request', 'used-request-uri'), undefined)
    for (const step of ['changed-request-uri', 'foreign-request-uri']) {
      assert.deepEqual(statusesOf(await player.breakIt('pushed-request', step)), [400])
    }
    const back = await player.visit('pushed-request', 'allow', 'ask-pushed')
    assert.match(back.text, believed)
    await player.play('pushed-request', ['exchange', 'read'])
    const used = await player.breakIt('pushed-request', 'used-request-uri')
    assert.deepEqual(statusesOf(used), [400])
  })
})

describe('allowed by a company', () => {
  test('the assertion opens what it says, once, and an end holds', async () => {
    const flow = 'trusted-issuer'
    await player.play(flow, ['trust-issuer', 'exchange-assertion', 'read'])
    for (const step of [
      'replayed-assertion',
      'unsigned-assertion',
      'assertion-for-other',
      'assertion-of-other',
    ] as const) {
      assert.equal(answered(await player.breakIt(flow, step)).error, 'invalid_grant')
    }
    const wide = await player.breakIt(flow, 'widened-assertion')
    assert.equal(answered(wide).scope, 'photos:read')
    const ended = await player.breakIt(flow, 'ended-approval')
    assert.deepEqual(statusesOf(ended), [200, 204, 400, 204])
  })
})
