/** The client of `latchkey login` is one record: each member counts. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findCommandLine, isCommandLine } from '../../../src/clients/command-line.ts'

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
