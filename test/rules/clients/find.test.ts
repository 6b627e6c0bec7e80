/** The client lookup: sources in turn, and no source is asked for what cannot be a client id. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type ClientSource, clientFinder, findClient } from '../../../src/clients/find.ts'
import type { Client } from '../../../src/model/client.ts'
import { clientIdCharacters } from '../../../src/model/ids.ts'
import { sampleClient } from '../../store/sample.ts'

type FindStored = Parameters<typeof findClient>[1]['store']['findClient']

const noStore = { store: { findClient: async () => null } }

/** A source of some clients. Notes each request. */
const sourceOf = (clients: readonly Client[], asked: string[]): ClientSource => ({
  async find(id, _parts, also) {
    asked.push(`${id} ${also ?? 'enabled'}`)
    return clients.find((client) => client.id === id) ?? null
  },
})

const named = (id: string, name: string): Client => sampleClient({ id: id as Client['id'], name })

const urlOf = (characters: number): string => 'https://a.example/'.padEnd(characters, 'x')

test('the first source with the client answers, and later ones are not asked', async () => {
  const rows: string[] = []
  const documents: string[] = []
  const find = clientFinder([
    sourceOf([named('a', 'row'), named('https://a.example/', 'pinned')], rows),
    sourceOf([named('https://a.example/', 'document'), named('b', 'document')], documents),
  ])
  const nameOf = async (id: string) => (await find(id, noStore))?.name ?? null
  assert.deepEqual(
    [await nameOf('a'), await nameOf('https://a.example/'), await nameOf('b'), await nameOf('c')],
    ['row', 'pinned', 'document', null],
  )
  assert.deepEqual(documents, ['b enabled', 'c enabled'])
  await find('c', noStore, 'disabled')
  assert.deepEqual([rows.at(-1), documents.at(-1)], ['c disabled', 'c disabled'])
})

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

test('what cannot be an id reaches no source', async () => {
  const asked: string[] = []
  const find = clientFinder([sourceOf([], asked)])
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
      assert.equal(await find(text, noStore), null)
    }),
  )
  assert.deepEqual(asked, [])
})
