/** The client of `latchkey login` is one record: each member counts. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  findCommandLine,
  isCommandLine,
  refuseForeign,
  requireCommandLine,
} from '../../../src/clients/command-line.ts'

const store = { findClient: async () => null, createClient: async () => 'created' as const }
const parts = { store, clock: () => 0, random: (bytes: number) => new Uint8Array(bytes) }

test('a client of the same id that differs in any member is not the command line', async () => {
  const made = await findCommandLine(parts)
  assert.equal(isCommandLine(made), true)
  const free = ['salt', 'familySalt', 'shortened', 'hasEndings', 'createdAt', 'disabled']
  for (const name of Object.keys(made)) {
    assert.equal(isCommandLine({ ...made, [name]: 'other' }), free.includes(name), name)
  }
  const document = { etag: null, fetchedAt: 0, freshUntil: 0, usableUntil: 0 }
  assert.equal(isCommandLine({ ...made, document }), false)
})

test('a client of this id from an older version opens nothing, and the refusal says what to do', async () => {
  const made = await findCommandLine(parts)
  const foreign = { ...made, name: 'Terminal' }
  const said = /latchkey client delete latchkey-command-line/
  assert.throws(() => requireCommandLine(foreign, parts), said)
  assert.throws(() => refuseForeign(foreign, 'insufficient_scope'), said)
  refuseForeign(made, 'insufficient_scope')
})
