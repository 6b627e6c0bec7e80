/** The client lookup: the store is not asked for what cannot be a client id. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { findClient } from '../../../src/clients/find.ts'
import { clientIdCharacters } from '../../../src/model/ids.ts'

type FindStored = Parameters<typeof findClient>[1]['store']['findClient']

const urlOf = (characters: number): string => 'https://a.example/'.padEnd(characters, 'x')

test('the service asks the store, with the id as it came', async () => {
  const asked: Parameters<FindStored>[] = []
  const store = {
    findClient: async (...given: Parameters<FindStored>) => {
      asked.push(given)
      return null
    },
  }
  for (const id of ['photo-printer', 'https://a.example/~me?x=%7E:1', urlOf(2048)]) {
    await findClient(id, { store })
    await findClient(id, { store }, 'disabled')
    assert.deepEqual(asked.splice(0), [
      [id, undefined],
      [id, 'disabled'],
    ])
  }
})

test('what cannot be an id does not reach the store', async () => {
  const asked: string[] = []
  const store = {
    findClient: async (id: string) => {
      asked.push(id)
      return null
    },
  }
  const { url, word } = clientIdCharacters
  const malformed = fc.oneof(
    fc.constantFrom(
      '',
      '.',
      '..',
      'a b',
      'a:b',
      'http://a.example/',
      'https://',
      'a'.repeat(word + 1),
    ),
    fc.constantFrom('https://a.example/ä', 'https://a.example/\0', urlOf(url + 1)),
    fc.string({ unit: 'binary' }).filter((text) => !/^[A-Za-z0-9._-]+$/.test(text)),
  )
  await fc.assert(
    fc.asyncProperty(malformed, async (text) => {
      assert.equal(await findClient(text, { store }), null)
    }),
  )
  assert.deepEqual(asked, [])
})
