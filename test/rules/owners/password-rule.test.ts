/** What a new password has to be (NIST SP 800-63B section 3.1.1.2). */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { loadSettings } from '../../../src/config/load.ts'
import { findPasswordFault } from '../../../src/owners/password-rule.ts'

const env = { LATCHKEY_ISSUER: 'https://auth.example.com', LATCHKEY_OPERATOR_NAME: 'Acme Photos' }
const settings = loadSettings({ env, flags: {}, cwd: '/' })
const person = { username: 'ada.byron', name: 'Ada Lovelace', email: 'countess@engine.example' }

const faultOf = (password: string, passwordCharacters = 8, of = person) =>
  findPasswordFault(password, of, { ...settings, passwordCharacters })

describe('the length', () => {
  test('is 15 characters at least outside the demo, 8 in the demo, or what the operator says', () => {
    const load = (env: Readonly<Record<string, string>>) =>
      loadSettings({ env, flags: {}, cwd: '/' }).passwordCharacters
    assert.equal(settings.passwordCharacters, 15)
    assert.equal(load({}), 8)
    assert.equal(load({ LATCHKEY_DEMO: '0' }), 15)
    assert.equal(load({ ...env, LATCHKEY_PASSWORD_CHARACTERS: '8' }), 8)
    for (const wrong of ['7', '65', 'x']) {
      assert.throws(() => load({ ...env, LATCHKEY_PASSWORD_CHARACTERS: wrong }))
    }
  })

  test('counts Unicode characters, and takes 64 of any script', async () => {
    assert.equal(await faultOf('horse 🐎', 8), 'length')
    assert.equal(await faultOf('horses 🐎', 8), null)
    assert.equal(await faultOf('twelve + two..', 15), 'length')
    assert.equal(await faultOf('twelve + three.', 15), null)
    assert.equal(await faultOf('𝕬𝕭𝕮𝕯𝕰𝕱𝕲h'.repeat(7)), null)
    assert.equal(await faultOf('🐎🐴🦓🫏🦄🎠🏇🐂'.repeat(8)), null)
    assert.equal(await faultOf(`${'🐎🐴🦓🫏🦄🎠🏇🐂'.repeat(8)}a`), 'length')
    assert.equal(await faultOf('\ud800 half a character'), 'length')
  })

  test('is all that is asked of the characters: no kind has to be there', async () => {
    const kinds = [
      'onlysmallletters',
      'ONLYCAPITALLETTERS',
      '8402719365',
      '   .  ,  ;  ',
      '密码很长也很好记',
    ]
    for (const password of kinds) assert.equal(await faultOf(password), null, password)
  })
})

test('common ones are refused, in whatever case or width', async () => {
  const common = ['password', 'PASSWORD', 'Passw0rd', 'password123', 'iloveyou', 'ｐａｓｓｗｏｒｄ']
  const simple = [
    'aaaaaaaa',
    '        ',
    'abababab',
    'abcabcabc',
    'abcdabcdabcd',
    '🐎🐎🐎🐎🐎🐎🐎🐎',
  ]
  const rows = ['12345678', '23456789', '98765432', 'abcdefgh', 'HGFEDCBA', 'бвгдежзи']
  for (const password of [...common, ...simple, ...rows]) {
    assert.equal(await faultOf(password), 'common', password)
  }
})

test('the whole password is compared: common words inside it are no reason', async () => {
  const long = [
    'password of my aunt',
    'sunshine over the bridge',
    'abababab-abababac',
    'dragon-12345678',
  ]
  for (const password of long) assert.equal(await faultOf(password), null, password)
})

test('names with a few digits or marks are refused: of the owner, and of the service', async () => {
  const names = [
    'ada.byron',
    'AdaByron1',
    'byron-byron',
    'lovelace2026!',
    'Ada Lovelace',
    'countess@engine.example',
    'countess1!',
    'acmephotos',
    'Acme-Photos-2026',
    'auth.example.com',
    'latchkey1',
    '2026latchkey',
  ]
  for (const password of names) assert.equal(await faultOf(password), 'names', password)
  const others = ['lovelace and tea', 'countess8402719', 'photographs', 'latchkeys']
  for (const password of others) assert.equal(await faultOf(password), null, password)
})

test('short names and missing ones forbid nothing', async () => {
  const nobody = { username: 'x', name: '', email: '' }
  for (const password of ['xylophone', 'x-8402719']) {
    assert.equal(await faultOf(password, 8, nobody), null, password)
  }
})

test('whatever is typed, there is an answer', async () => {
  const text = fc.string({ unit: 'binary', maxLength: 300 })
  await fc.assert(
    fc.asyncProperty(text, text, async (password, username) => {
      const fault = await faultOf(password, 8, { ...person, username })
      assert.ok(fault === null || ['length', 'common', 'names'].includes(fault))
    }),
  )
})
