/** Password hashes from elsewhere: each notation, and the refusals. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, it } from 'node:test'
import { verifyImported } from '../../../src/crypto/hashes.ts'
import { createPasswords, measureWork } from '../../../src/crypto/password.ts'
import { getHashKind, makeBlank } from '../../../src/crypto/phc.ts'
import { addHashKind, readPasswordHash } from '../../../src/owners/hashes/index.ts'
import { ownerLimits } from '../../../src/owners/limits.ts'
import { firebaseHash, hashesFromElsewhere } from '../../support/password-hashes.ts'

describe('a password hash from elsewhere', () => {
  for (const { from, password, given, stored } of hashesFromElsewhere) {
    it(`is read and verified: ${from}`, async () => {
      assert.deepEqual(readPasswordHash(given), { hash: stored })
      assert.deepEqual(readPasswordHash(stored), { hash: stored })
      assert.equal(await verifyImported(stored, password), true)
      assert.equal(await verifyImported(stored, `${password} `), false)
      assert.equal(await verifyImported(stored, ''), false)
    })
  }

  it('may be JSON text, as out of a CSV file', () => {
    const [keycloak] = hashesFromElsewhere
    const read = readPasswordHash(JSON.stringify(keycloak?.given))
    assert.deepEqual(read, { hash: keycloak?.stored })
  })

  it('may be PBKDF2 as passlib writes it', () => {
    const rest = '$1dTJy73v6n3bnTmTZFghxHXHLsAzKaAy8SksDfZBPIw'
    assert.deepEqual(readPasswordHash(`$pbkdf2-sha256$10000$henZGfPWw79Cs8ORDeVNrQ${rest}`), {
      hash: `$pbkdf2-sha256$i=10000,l=32$henZGfPWw79Cs8ORDeVNrQ${rest}`,
    })
  })

  const salt = 'c29tZXNhbHQ'
  const hash = 'A'.repeat(43)
  const refused: Readonly<Record<string, unknown>> = {
    'is in no notation that is known: a PHC string or bcrypt, a credential of Keycloak, a password of Firebase, a password of Django, a userPassword of LDAP':
      'hunter2',
    'is a PHC string or bcrypt, but its algorithm is unknown': `$md5$n=1$${salt}$${hash}`,
    'is a PHC string or bcrypt, but its cost is 15, and 14 is the most': `$2b$15$${'.'.repeat(53)}`,
    'is a PHC string or bcrypt, but it is not complete': `$2b$10$${'.'.repeat(52)}`,
    'is a PHC string or bcrypt, but its cost (m=262144,t=1,p=1) is too high': `$argon2id$v=19$m=262144,t=1,p=1$${salt}$${hash}`,
    'is a PHC string or bcrypt, but its cost (m=65536,t=4000000000,p=1) is too high': `$argon2id$v=19$m=65536,t=4000000000,p=1$${salt}$${hash}`,
    'is a PHC string or bcrypt, but its cost (ln=20,r=8,p=1) is too high': `$scrypt$ln=20,r=8,p=1$${salt}$${hash}`,
    'is a PHC string or bcrypt, but its cost (ln=63,r=4,p=1) is too high': `$scrypt$ln=63,r=4,p=1$${salt}$${hash}`,
    'is a PHC string or bcrypt, but its cost (ln=1,r=1,p=99999999) is too high': `$scrypt$ln=1,r=1,p=99999999$${salt}$${hash}`,
    'is a PHC string or bcrypt, but it takes 4000000 iterations, and 2500000 are the most': `$pbkdf2-sha256$i=2000000,l=64$${salt}$${'A'.repeat(86)}`,
    'is a PHC string or bcrypt, but its length is unusual': `$pbkdf2-sha256$i=1000,l=3$${salt}$AAAA`,
    'is a password of Django, but its algorithm is unknown':
      'md5$seasalt$3f86d0d3d465b7b458c231bf3555c0e3',
    'is a password of Django, but it is not complete': 'scrypt$16383$seasalt$8$1$AAAA',
    'is a userPassword of LDAP, but its scheme is not taken: only PBKDF2, ARGON2 and bcrypt are':
      '{SSHA}Ux2JMpFgVzNb3QkNjVl5W7eOqGtRxYzA',
    'is a userPassword of LDAP, but of {CRYPT}, only bcrypt ($2a$, $2b$, $2y$) is taken':
      '{CRYPT}$6$salt$hash',
    'is a password of Firebase, but it needs the hash parameters of the project': firebaseHash,
    'is a credential of Keycloak, but its algorithm is unknown': {
      secretData: { value: hash, salt },
      credentialData: { algorithm: 'toString', hashIterations: 1 },
    },
  }
  for (const [problem, given] of Object.entries(refused)) {
    it(`is refused: it ${problem.slice(0, 120)}`, () => {
      assert.deepEqual(readPasswordHash(given), { problem })
    })
  }

  for (const given of [
    null,
    1,
    true,
    [],
    {},
    '',
    '$',
    '{}',
    '{"',
    '{"a":1}',
    '$$$$',
    '{"secretData":1}',
  ]) {
    it(`is refused in whatever shape it comes: ${JSON.stringify(given)}`, () => {
      assert.equal('problem' in readPasswordHash(given), true)
    })
  }
})

describe('the kind of a password hash', () => {
  it('has a blank hash of the same cost, which no password fits', async () => {
    for (const { stored, password } of hashesFromElsewhere) {
      const blank = makeBlank(getHashKind(stored))
      assert.equal(getHashKind(blank), getHashKind(stored))
      assert.equal('hash' in readPasswordHash(blank), true)
      assert.equal(await verifyImported(blank, password), false)
    }
  })

  it('is none for hashes of our own', async () => {
    assert.equal(getHashKind(await createPasswords().hash('wonderland')), '')
    assert.equal(getHashKind(''), '')
  })
})

describe('the cost of all kinds of hashes together', () => {
  const pbkdf2 = (i: number) => ({
    passwordHash: `$pbkdf2-sha256$i=${i},l=32$c2FsdA$${'A'.repeat(43)}`,
  })
  /** Passwords of a machine that takes so long for each hash. */
  const machine = (milliseconds: number) => {
    let measured = 0
    const begin = () => {
      measured++
      return () => milliseconds
    }
    const passwords = createPasswords(undefined, undefined, begin)
    return { passwords, measured: () => measured }
  }

  it('is bounded, and each kind is measured once', async () => {
    const { passwords, measured } = machine(ownerLimits.hashKindsMilliseconds / 2)
    const kinds = new Set<string>()
    for (const owner of [pbkdf2(1), pbkdf2(1), pbkdf2(2), { passwordHash: '' }]) {
      await addHashKind(owner, kinds, { passwords })
    }
    assert.deepEqual([...kinds], ['$pbkdf2-sha256$i=1,l=32$', '$pbkdf2-sha256$i=2,l=32$'])
    for (let i = 0; i < 2; i++) {
      await assert.rejects(addHashKind(pbkdf2(3), kinds, { passwords }), {
        reason: 'slow_hash_kinds',
        description:
          'with password_hash, a wrong password would take 3000 ms, and 2000 are the most',
      })
    }
    assert.equal(kinds.size, 2)
    assert.equal(measured(), 3)
  })

  it('counts the kinds that were there before', async () => {
    const { passwords } = machine(ownerLimits.hashKindsMilliseconds)
    const kinds = new Set(['$pbkdf2-sha256$i=1,l=32$'])
    const added = addHashKind(pbkdf2(2), kinds, { passwords })
    await assert.rejects(added, { reason: 'slow_hash_kinds' })
  })

  it('is the work alone, however busy the machine is, or this process', async () => {
    let now = 0
    const begin = measureWork(() => now)
    const onBusyMachine = begin()
    now = 3_600_000
    assert.ok(onBusyMachine() < now / 2)
    const inBusyProcess = begin()
    for (let i = 0; i < 10_000; i++) createHash('sha256').update(String(i)).digest()
    assert.equal(inBusyProcess(), 0)
  })

  it('has no kind that fails', async () => {
    const { passwords } = machine(0)
    assert.equal(await passwords.costOf('$scrypt$ln=16,r=1,p=1$'), null)
    const passwordHash = `$scrypt$ln=16,r=1,p=1$c29tZXNhbHQ$${'A'.repeat(43)}`
    const added = addHashKind({ passwordHash }, new Set(), { passwords })
    await assert.rejects(added, { reason: 'bad_password_hash' })
  })
})
