/** Attacks on tokens that are bound to a key, at the service itself (RFC 9449 section 11). */
import assert from 'node:assert/strict'
import { constants, createPrivateKey, generateKeyPairSync, sign as signBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { clockSkewSeconds } from '../../src/clock.ts'
import { defaultLimits } from '../../src/config/settable-limits.ts'
import { refusalLimits } from '../../src/events/limits.ts'
import { dpopLimits } from '../../src/resource/dpop-proof.ts'
import { findPostgres } from '../store/postgres.ts'
import { nightlyReport, photoPrinter } from '../support/demo-clients.ts'
import { askProven, digestToken, makeProver, type Prover, postProven } from '../support/dpop.ts'
import { challenge, galleryRequest, verifier } from '../support/gallery.ts'
import { callback, codeRequest, obtainCode } from '../support/printing.ts'
import { register as registerAny, registerPublic } from '../support/registered.ts'
import { type Answer, type Started, start, startBefore } from '../support/start.ts'

let owner: Prover
let thief: Prover
let tokenUrl: string

const service = startBefore(start, async () => {
  tokenUrl = `${service.issuer}/token`
  owner = await makeProver(service.now)
  thief = await makeProver(service.now)
})

const own = { grant_type: 'client_credentials' }
const wrong = [400, 'invalid_dpop_proof']
const wrongAtApi = [401, 'invalid_dpop_proof']

const outcomeOf = ({ status, body }: Answer): unknown =>
  status === 200 ? 200 : [status, body.error]

const ask = async (proof: string, at: Pick<Started, 'ask'> = service): Promise<unknown> => {
  const headers = { authorization: `Basic ${btoa(nightlyReport.join(':'))}`, dpop: proof }
  return outcomeOf(await at.ask('/token', { form: own, headers }))
}

const prove = (claims = {}, header = {}, by = owner): Promise<string> =>
  by.prove('POST', tokenUrl, claims, header)

const obtain = async (by = owner): Promise<string> => {
  const { body } = await postProven(service, own, nightlyReport, await prove({}, {}, by))
  assert.equal(body.token_type, 'DPoP')
  return body.access_token
}

const code = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A request of a public client of its own, with the answer to its code. */
const openFamily = async (claims = {}, changes = {}) => {
  const client_id = await registerPublic(service)
  const asked = await obtainCode(service, { ...codeRequest, ...challenge, client_id, ...changes })
  const form = {
    grant_type: 'authorization_code',
    code: asked,
    redirect_uri: callback,
    client_id,
    code_verifier: verifier,
  }
  const redeem = async (by: Prover | null) =>
    by === null
      ? service.post('/token', form)
      : postProven(service, form, null, await prove(claims, {}, by))
  const refresh = async (token: string, by: Prover | null) => {
    const again = { grant_type: 'refresh_token', refresh_token: token, client_id }
    return by === null
      ? service.post('/token', again)
      : postProven(service, again, null, await prove({}, {}, by))
  }
  return { redeem, refresh }
}

/** The nonce of the answer to a right proof. */
const findNonce = async (proof: string): Promise<string | null> =>
  (await postProven(service, own, nightlyReport, proof)).headers.get('dpop-nonce')

/** The rows of proofs that were used. */
const countUsed = async (at: Started = service): Promise<number> => {
  const { DatabaseSync } = await import('node:sqlite')
  const database = new DatabaseSync(`${at.folder}/latchkey.db`, { readOnly: true })
  const row = database.prepare('select count(*) as many from finished_ceremonies').get()
  database.close()
  return Number(row?.many)
}

describe('a proof that is none', () => {
  test('replayed, at the token endpoint and at an API', async () => {
    const proof = await prove()
    assert.deepEqual([await ask(proof), await ask(proof)], [200, wrong])
    const token = await obtain()
    const use = await owner.prove('GET', `${service.issuer}/api/photos`, {
      ath: digestToken(token),
    })
    const headers = { authorization: `DPoP ${token}`, dpop: use }
    const answers = [
      await service.ask('/api/photos', { headers }),
      await service.ask('/api/photos', { headers }),
    ]
    assert.deepEqual(answers.map(outcomeOf), [200, wrongAtApi])
  })

  test('replayed with a request that fails: it is used up all the same', async () => {
    const proof = await prove()
    const form = { grant_type: 'authorization_code', code: 'lk_ac_x', redirect_uri: callback }
    const failed = await postProven(service, form, photoPrinter, proof)
    assert.equal(failed.body.error, 'invalid_grant')
    assert.deepEqual(await ask(proof), wrong)
  })

  test('replayed after a restart, without a nonce and with one', async () => {
    const nonce = await findNonce(await prove())
    const proofs = [await prove(), await prove({ nonce }), await prove({ iat: service.now() + 5 })]
    const before = await countUsed()
    for (const proof of proofs) assert.deepEqual([await ask(proof), await ask(proof)], [200, wrong])
    // A jti counts once, whether its proof is a row or in memory.
    for (const jti of ['from ahead', 'in memory']) {
      const iats = [service.now() + 5, service.now()]
      const claims = jti === 'in memory' ? iats.toReversed() : iats
      const answers = [await ask(await prove({ jti, iat: claims[0] }))]
      answers.push(await ask(await prove({ jti, iat: claims[1], nonce })))
      assert.deepEqual(answers, [200, wrong])
    }
    // Those from ahead alone.
    assert.equal(await countUsed(), before + 2)
    await service.restart()
    for (const proof of proofs) assert.deepEqual(await ask(proof), wrong)
    assert.equal(await ask(await prove({ nonce })), 200)
  })

  test('replayed after the process was killed: its second and those before ask for a new nonce', async () => {
    const killed = await start()
    const by = await makeProver(killed.now)
    const make = (claims = {}) => by.prove('POST', `${killed.issuer}/token`, claims)
    const send = async (claims = {}) => postProven(killed, own, nightlyReport, await make(claims))
    const first = await send()
    const nonce = first.headers.get('dpop-nonce')
    const token = first.body.access_token
    const code = await obtainCode(killed)
    killed.pass(1)
    const ahead = await make({ iat: killed.now() + 5 })
    const used = [await make(), await make({ nonce }), ahead]
    for (const proof of used) assert.equal(await ask(proof, killed), 200)
    await killed.kill()
    const asked = [400, 'use_dpop_nonce']
    for (const proof of used.slice(0, 2)) assert.deepEqual(await ask(proof, killed), asked)
    assert.deepEqual(await ask(ahead, killed), wrong)
    // The clock goes on after the watermark, so the next nonce is none of before.
    const next = (await send()).headers.get('dpop-nonce')
    assert.equal((await send({ nonce: next })).status, 200)
    killed.pass(1)
    const form = { grant_type: 'authorization_code', code, redirect_uri: callback }
    const old = { iat: killed.now() - 5 }
    const refused = [
      await postProven(killed, form, photoPrinter, await make(old)),
      await askProven(killed, '/userinfo', token, by, { claims: { nonce } }),
    ]
    const told = refused.map((answer) => [outcomeOf(answer), answer.reference])
    assert.deepEqual(told, [
      [asked, null],
      [[401, 'use_dpop_nonce'], null],
    ])
    const repeated = await make({ ...old, nonce: next })
    assert.equal((await postProven(killed, form, photoPrinter, repeated)).status, 200)
    assert.deepEqual(await ask(repeated, killed), wrong)
    assert.equal(await ask(await make(), killed), 200)
    // What the killed process knew is refused after a second end, too.
    await killed.restart()
    await killed.kill()
    for (const proof of used.slice(0, 2)) assert.notEqual(await ask(proof, killed), 200)
    await killed.close()
  })

  test('for another method, path, host, port or scheme', async () => {
    const { host, port } = new URL(service.issuer)
    const targets: [string, string][] = [
      ['GET', tokenUrl],
      ['post', tokenUrl],
      ['POST', `${service.issuer}/userinfo`],
      ['POST', `${service.issuer}/token/`],
      ['POST', `${service.issuer}/Token`],
      ['POST', `${service.issuer}//token`],
      ['POST', `${service.issuer}/token%2F`],
      ['POST', service.issuer],
      ['POST', `http://auth.evil.example:${port}/token`],
      ['POST', `http://127.0.0.1.evil.example:${port}/token`],
      ['POST', `http://${host}@evil.example/token`],
      ['POST', `http://user@${host}/token`],
      ['POST', `${tokenUrl.replace(port, '9')}`],
      ['POST', tokenUrl.replace('http:', 'https:')],
      ['POST', '/token'],
      ['POST', ''],
    ]
    for (const [method, url] of targets) {
      assert.deepEqual(await ask(await owner.prove(method, url)), wrong, `${method} ${url}`)
    }
  })

  test('in another spelling of the same URL it is right', async () => {
    const local = tokenUrl.replace('127.0.0.1', 'LOCALHOST')
    const spellings = [
      `${tokenUrl}?a=b#c`,
      tokenUrl.replace('token', '%74oke%6E'),
      tokenUrl.replace('token', 'x/../token'),
      tokenUrl.replace('token', '%2e/token'),
      tokenUrl.replace('http', 'HTTP'),
      local,
    ]
    for (const url of spellings) assert.equal(await ask(await owner.prove('POST', url)), 200, url)
  })

  test('old, from ahead, or without a time', async () => {
    const { pastSeconds, aheadSeconds } = dpopLimits
    const now = service.now()
    for (const iat of [now - pastSeconds, now + aheadSeconds]) {
      assert.equal(await ask(await prove({ iat })), 200)
    }
    const times = [now - pastSeconds - 1, now + aheadSeconds + 1, 1e300, 0, -1]
    for (const iat of [...times, undefined, null, String(now), [now]]) {
      assert.deepEqual(await ask(await prove({ iat })), wrong, String(iat))
    }
  })

  test('without a jti, or with a long one', async () => {
    const long = 'x'.repeat(dpopLimits.jtiCharacters)
    assert.equal(await ask(await prove({ jti: long })), 200)
    for (const jti of [undefined, null, '', 7, ['a'], `${long}x`]) {
      assert.deepEqual(await ask(await prove({ jti })), wrong)
    }
  })

  test('with a private key, a symmetric one, or no signature', async () => {
    const { publicKey } = owner.pair
    const [, claims] = (await prove()).split('.')
    const forged = (header: object, signature: string) =>
      `${code({ typ: 'dpop+jwt', ...header })}.${claims}.${signature}`
    const proofs = [
      await prove({}, { jwk: { ...publicKey, d: 'AAAA' } }),
      await prove({}, { jwk: { kty: 'oct', k: 'AAAA' } }),
      await prove({}, { jwk: thief.pair.publicKey }),
      await prove({}, { jwk: [publicKey] }),
      await prove({}, { jwk: undefined }),
      await prove({}, { typ: 'JWT' }),
      await prove({}, { typ: 'at+jwt' }),
      await prove({}, { typ: undefined }),
      await prove({}, { jwk: { ...publicKey, kty: 'OKP' } }),
      forged({ alg: 'none', jwk: publicKey }, ''),
      forged({ alg: 'none', jwk: publicKey }, 'AAAA'),
      forged({ alg: 'HS256', jwk: { kty: 'oct', k: 'AAAA' } }, 'AAAA'),
      forged({ alg: 'ES256', jwk: publicKey }, 'A'.repeat(86)),
      forged({ alg: 'RS256', jwk: publicKey }, 'A'.repeat(342)),
      forged({ alg: 'EdDSA', jwk: publicKey }, 'A'.repeat(86)),
    ]
    for (const proof of proofs) assert.deepEqual(await ask(proof), wrong, proof)
  })

  for (const [bits, isTaken] of [
    [1024, false],
    [2040, false],
    [2048, true],
  ] as const) {
    test(`with an RSA key of ${bits} bits`, async () => {
      const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: bits })
      const jwk = publicKey.export({ format: 'jwk' })
      const claims = { jti: `rsa-${bits}`, htm: 'POST', htu: tokenUrl, iat: service.now() }
      for (const alg of ['RS256', 'PS256']) {
        const text = `${code({ typ: 'dpop+jwt', alg, jwk })}.${code({ ...claims, jti: alg })}`
        const padding =
          alg === 'PS256' ? constants.RSA_PKCS1_PSS_PADDING : constants.RSA_PKCS1_PADDING
        const key = { key: privateKey, padding, ...(alg === 'PS256' ? { saltLength: 32 } : {}) }
        const proof = `${text}.${signBytes('sha256', Buffer.from(text), key).toString('base64url')}`
        assert.deepEqual(await ask(proof), isTaken ? 200 : wrong, alg)
      }
    })
  }

  test('with an RSA key whose exponent or modulus makes each check slow', async () => {
    // `d` and `e` change places: the proof is right, and a check takes as long as a signature.
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 3072 })
    const { n = '', e = '', d = '', p = '', q = '', qi = '' } = privateKey.export({ format: 'jwk' })
    const made = { kty: 'RSA', n, e: d, d: e, p, q, dp: e, dq: e, qi }
    const key = createPrivateKey({ key: made, format: 'jwk' })
    const claims = { jti: 'slow', htm: 'POST', htu: tokenUrl, iat: service.now() }
    const keys = [
      { kty: 'RSA', n, e: d },
      { kty: 'RSA', n, e: 'A'.repeat(10) + e },
      { kty: 'RSA', n: 'A'.repeat(684) + n, e },
    ]
    for (const jwk of keys) {
      const text = `${code({ typ: 'dpop+jwt', alg: 'RS256', jwk })}.${code(claims)}`
      const by = jwk.e === d ? key : privateKey
      const signature = signBytes('sha256', Buffer.from(text), by).toString('base64url')
      assert.deepEqual(await ask(`${text}.${signature}`), wrong)
    }
  })

  test('that is too long, no JWT, or one of two', async () => {
    const long = await prove({ more: 'x'.repeat(dpopLimits.proofCharacters) })
    const proof = await prove()
    const texts = ['', ' ', 'x', '..', 'a.b.c', long, `${proof}.a`, `${proof}=`, `"${proof}"`]
    for (const text of [...texts, `${await prove()}, ${await prove()}`]) {
      assert.deepEqual(await ask(text), wrong, text)
    }
    assert.equal(await ask(proof), 200)
  })
})

describe('a stolen token', () => {
  test('with the proof of the thief, without one, and as Bearer', async () => {
    const token = await obtain()
    for (const path of ['/api/photos', '/userinfo', '/admin/api/clients']) {
      const answers = [
        await askProven(service, path, token, thief),
        await service.ask(path, { headers: { authorization: `DPoP ${token}` } }),
        await service.ask(path, { headers: { authorization: `Bearer ${token}` } }),
      ]
      for (const answer of answers) {
        assert.equal(answer.status, 401)
        assert.match(
          answer.headers.get('www-authenticate') ?? '',
          /^DPoP .*"invalid_token".*algs="/,
        )
      }
    }
  })

  test('in a query or a form, where no proof can be beside it', async () => {
    const token = await obtain()
    const headers = { 'cache-control': 'no-store' }
    const query = await service.ask(`/api/photos?access_token=${token}`, { headers })
    assert.equal(query.status, 401)
    const form = await service.ask('/userinfo', { form: { access_token: token } })
    assert.equal(form.status, 401)
  })

  test('with a stolen proof for another token of the same key', async () => {
    const [token, other] = [await obtain(), await obtain()]
    const proof = await owner.prove('GET', `${service.issuer}/api/photos`, {
      ath: digestToken(other),
    })
    const headers = { authorization: `DPoP ${token}`, dpop: proof }
    assert.deepEqual(outcomeOf(await service.ask('/api/photos', { headers })), wrongAtApi)
  })

  test('with a stolen proof for a path that dot segments lead to', async () => {
    const token = await obtain()
    const under = `${service.issuer}/admin/api/clients`
    for (const dots of ['..', '.', '%2e%2E', '.%2e']) {
      const proof = await owner.prove('GET', `${under}/${dots}`, { ath: digestToken(token) })
      const sent = { authorization: `DPoP ${token}`, dpop: proof }
      const get = (name: string) => Object.entries(sent).find(([one]) => one === name)?.[1] ?? null
      const text = async () => ''
      // As a socket hands it over: nothing resolves the path before.
      const request = { method: 'GET', url: `${under}/${dots}`, headers: { get }, body: null, text }
      const { status, headers } = await service.server().respond(request, '127.0.0.1')
      assert.equal(status, 401, dots)
      assert.match(String(headers['WWW-Authenticate']), /error="invalid_dpop_proof"/)
    }
  })

  test('with a stolen proof for the token endpoint', async () => {
    const token = await obtain()
    const headers = { authorization: `DPoP ${token}`, dpop: await prove() }
    assert.deepEqual(outcomeOf(await service.ask('/api/photos', { headers })), wrongAtApi)
  })
})

describe('a public client', () => {
  test('the refresh token of a family with a key, without the key', async () => {
    const { redeem, refresh } = await openFamily()
    const { refresh_token: token } = (await redeem(owner)).body
    assert.deepEqual(outcomeOf(await refresh(token, null)), wrong)
    assert.deepEqual(outcomeOf(await refresh(token, thief)), wrong)
    const next = await refresh(token, owner)
    assert.equal(next.status, 200, next.text)
    // An old token of the family, stolen without the key, ends nothing.
    assert.deepEqual(outcomeOf(await refresh(token, thief)), wrong)
    assert.equal((await refresh(next.body.refresh_token, owner)).status, 200)
  })

  test('a code that was asked for with the key of a thief', async () => {
    const { redeem } = await openFamily({}, { dpop_jkt: thief.jkt })
    assert.deepEqual(outcomeOf(await redeem(owner)), wrong)
    assert.deepEqual(outcomeOf(await redeem(null)), wrong)
  })

  test('a stolen code of a client that sent dpop_jkt', async () => {
    const { redeem } = await openFamily({}, { dpop_jkt: owner.jkt })
    assert.deepEqual(outcomeOf(await redeem(thief)), wrong)
    assert.deepEqual(outcomeOf(await redeem(null)), wrong)
    const { body } = await redeem(owner)
    assert.equal((await askProven(service, '/api/photos', body.access_token, owner)).status, 200)
  })

  test('a used code without the key, or with its request sent again, ends nothing', async () => {
    const { redeem, refresh } = await openFamily({ jti: 'sent again' }, { dpop_jkt: owner.jkt })
    const { body } = await redeem(owner)
    for (const by of [thief, null, owner]) assert.deepEqual(outcomeOf(await redeem(by)), wrong)
    assert.equal((await askProven(service, '/api/photos', body.access_token, owner)).status, 200)
    assert.equal((await refresh(body.refresh_token, owner)).status, 200)
  })

  test('a used code with the key ends its tokens', async () => {
    const { redeem } = await openFamily({}, { dpop_jkt: owner.jkt })
    const { body } = await redeem(owner)
    assert.deepEqual(outcomeOf(await redeem(owner)), [400, 'invalid_grant'])
    assert.equal((await askProven(service, '/api/photos', body.access_token, owner)).status, 401)
  })

  test('a second dpop_jkt beside the first', async () => {
    const query = new URLSearchParams({ ...codeRequest, dpop_jkt: owner.jkt })
    query.append('dpop_jkt', thief.jkt)
    const page = await service.ask(`/authorize?${query}`)
    const told = new URL(page.headers.get('location') ?? 'x:').searchParams.get('error')
    assert.ok(page.status === 400 || told === 'invalid_request')
  })
})

test('a flood of right proofs of strangers writes nothing', async () => {
  const client_id = await registerPublic(service)
  const types = ['authorization_code', 'refresh_token']
  const { credentials } = await registerAny(service, { grant_types: types })
  const token = await obtain()
  const before = await countUsed()
  for (let i = 0; i < 10; i++) {
    const form = { redirect_uri: callback, client_id }
    const grant = { grant_type: 'authorization_code', code: 'lk_ac_x' }
    await postProven(service, { ...grant, ...form }, null, await prove({}, {}, thief))
    const again = { grant_type: 'refresh_token', refresh_token: 'lk_rt_x', client_id }
    await postProven(service, again, null, await prove({}, {}, thief))
    await postProven(service, own, ['nightly-report', 'x'], await prove({}, {}, thief))
    for (const wrong of [
      { ...grant, redirect_uri: callback },
      { ...again, client_id: '' },
    ]) {
      await postProven(service, wrong, credentials, await prove({}, {}, thief))
    }
    await askProven(service, '/api/photos', 'lk_at_x', thief)
    await askProven(service, '/api/photos', token, thief)
    await askProven(service, '/userinfo', 'lk_at_x', thief)
  }
  assert.equal(await countUsed(), before)
})

test('a client that registered itself uses up a bounded number of proofs in a minute', async () => {
  const types = ['client_credentials']
  const metadata = { grant_types: types, scope: 'photos:read', redirect_uris: undefined }
  const { credentials } = await registerAny(service, metadata)
  const statusOf = async (client: readonly [string, string]) =>
    (await postProven(service, own, client, await prove())).status
  for (let n = 0; n < refusalLimits.usedUp; n++) {
    assert.equal(await statusOf(credentials), 200)
    if (n % 2 === 0) assert.equal(await statusOf(nightlyReport), 200)
  }
  const before = await countUsed()
  assert.equal(await statusOf(credentials), 429)
  assert.equal(await countUsed(), before)
  await service.advance(60)
  assert.equal(await statusOf(credentials), 200)
})

test('the proofs that were used are forgotten soon after nobody would take them', async () => {
  await ask(await prove({ iat: service.now() + dpopLimits.aheadSeconds }))
  assert.notEqual(await countUsed(), 0)
  await service.advance(24 * 3600)
  assert.equal(await countUsed(), 0)
})

describe('where each proof needs a nonce', () => {
  const strict = startBefore(() => start({ dpopNonce: 'required' }))
  const secret = 'a-root-secret-that-nobody-else-has'
  const foreign = startBefore(() => start({ secret }))
  let prover: Prover
  before(async () => {
    prover = await makeProver(strict.now)
  })

  const send = async (
    claims = {},
    form: Readonly<Record<string, string>> = own,
    client: readonly [string, string] = nightlyReport,
  ) =>
    postProven(strict, form, client, await prover.prove('POST', `${strict.issuer}/token`, claims))

  const nonceOf = ({ headers }: Answer): string =>
    headers.get('dpop-nonce') ?? assert.fail('no nonce came')

  test('the first answer asks for one, and the second request has it', async () => {
    const first = await send()
    assert.deepEqual(outcomeOf(first), [400, 'use_dpop_nonce'])
    const second = await send({ nonce: nonceOf(first) })
    assert.equal(second.status, 200)
    assert.equal(nonceOf(second), nonceOf(first))
  })

  test('the same at an API, with 401 and its challenge', async () => {
    const { body } = await send({ nonce: nonceOf(await send()) })
    for (const path of ['/api/photos', '/userinfo']) {
      const first = await askProven(strict, path, body.access_token, prover)
      assert.deepEqual(outcomeOf(first), [401, 'use_dpop_nonce'])
      assert.match(
        first.headers.get('www-authenticate') ?? '',
        /^DPoP .*error="use_dpop_nonce".*algs="/,
      )
      const claims = { nonce: nonceOf(first) }
      const second = await askProven(strict, path, body.access_token, prover, { claims })
      assert.notEqual(second.body.error, 'use_dpop_nonce')
      assert.notEqual(second.status, 401)
    }
  })

  test('a request for a nonce uses up neither the code nor the refresh token', async () => {
    const form = {
      grant_type: 'authorization_code',
      code: await obtainCode(strict),
      redirect_uri: callback,
    }
    const asked = await send({}, form, photoPrinter)
    assert.deepEqual(outcomeOf(asked), [400, 'use_dpop_nonce'])
    const nonce = nonceOf(asked)
    const { status, body } = await send({ nonce }, form, photoPrinter)
    assert.equal(status, 200)
    const again = { grant_type: 'refresh_token', refresh_token: body.refresh_token }
    assert.deepEqual(outcomeOf(await send({}, again, photoPrinter)), [400, 'use_dpop_nonce'])
    assert.equal((await send({ nonce }, again, photoPrinter)).status, 200)
  })

  test('a request for a nonce leaves the proof unused, and another one with it works once', async () => {
    const nonce = nonceOf(await send())
    const claims = { nonce, jti: 'with a nonce' }
    assert.equal((await send(claims)).status, 200)
    assert.deepEqual(outcomeOf(await send(claims)), wrong)
  })

  test('forged, changed, of another service, or of no text', async () => {
    const nonce = nonceOf(await send())
    const other = await makeProver(foreign.now)
    const elsewhere = nonceOf(
      await postProven(
        foreign,
        own,
        nightlyReport,
        await other.prove('POST', `${foreign.issuer}/token`),
      ),
    )
    const last = nonce.endsWith('A') ? 'B' : 'A'
    const forged = [
      `${nonce.slice(0, -1)}${last}`,
      `A${nonce}`,
      nonce.slice(1),
      elsewhere,
      '',
      'x'.repeat(500),
    ]
    for (const one of forged) {
      assert.deepEqual(outcomeOf(await send({ nonce: one })), [400, 'use_dpop_nonce'], one)
    }
    for (const one of [7, {}, [nonce], true])
      assert.deepEqual(outcomeOf(await send({ nonce: one })), wrong)
  })

  test('old: it is taken for 300 to 600 s', async () => {
    const nonce = nonceOf(await send())
    strict.pass(300)
    const answer = await send({ nonce })
    assert.equal(answer.status, 200)
    assert.notEqual(nonceOf(answer), nonce)
    strict.pass(300)
    assert.deepEqual(outcomeOf(await send({ nonce })), [400, 'use_dpop_nonce'])
  })

  test('no other sealed statement is a nonce', async () => {
    const { body } = await send({ nonce: nonceOf(await send()) })
    for (const text of [body.access_token, body.access_token.slice('lk_at_'.length)]) {
      assert.deepEqual(outcomeOf(await send({ nonce: text })), [400, 'use_dpop_nonce'])
    }
  })

  test('a wrong nonce is refused where none is needed, too', async () => {
    assert.deepEqual(await ask(await prove({ nonce: 'x' })), [400, 'use_dpop_nonce'])
  })
})

test('a public client cannot fill the store by pushes with proofs', async () => {
  const service = await start({ limits: { ...defaultLimits, refusalsPerMinute: 3 } })
  const push = async () => {
    const proof = await prove({ htu: `${service.issuer}/par`, iat: service.now() })
    const { status } = await service.ask('/par', { form: galleryRequest, headers: { dpop: proof } })
    return status
  }
  const statuses = [await push(), await push(), await push(), await push()]
  await service.close()
  assert.deepEqual(statuses, [201, 201, 201, 429])
})

const postgres = await findPostgres()
describe('at two nodes', { skip: postgres === null && 'no PostgreSQL here' }, () => {
  const secret = 'a-root-secret-that-all-nodes-share'
  let one: Started
  let other: Started
  before(async () => {
    const store = (await postgres?.newDatabase()) ?? assert.fail('no PostgreSQL')
    const nodes = await Promise.all([start({ store, secret }), start({ store, secret })])
    ;[one, other] = nodes
  })
  after(async () => {
    await Promise.all([one.close(), other.close()])
    await postgres?.stop()
  })

  const proveNow = async (claims = {}): Promise<string> => prove({ iat: one.now(), ...claims })

  test('a proof that was used at one is refused at the other', async () => {
    const proof = await proveNow()
    assert.deepEqual([await ask(proof, one), await ask(proof, other)], [200, wrong])
  })

  test('a race of one proof has one winner', async () => {
    for (let round = 0; round < 5; round++) {
      const proof = await proveNow()
      const answers = await Promise.all([one, other, one, other].map((node) => ask(proof, node)))
      assert.equal(answers.filter((answer) => answer === 200).length, 1)
    }
  })

  test('a nonce of one is taken at the other, also after a restart', async () => {
    const first = await postProven(one, own, nightlyReport, await proveNow())
    const nonce = first.headers.get('dpop-nonce')
    const proof = await proveNow({ nonce })
    assert.deepEqual([await ask(proof, other), await ask(proof, one)], [200, wrong])
    await other.restart()
    assert.deepEqual(await ask(proof, other), wrong)
    assert.equal(await ask(await proveNow({ nonce }), other), 200)
  })

  test('a node whose clock is ahead forgets no proof that the other still takes', async () => {
    const proof = await proveNow()
    assert.equal(await ask(proof, one), 200)
    await one.advance(dpopLimits.pastSeconds + clockSkewSeconds)
    other.pass(dpopLimits.pastSeconds)
    assert.deepEqual(await ask(proof, other), wrong)
  })
})
