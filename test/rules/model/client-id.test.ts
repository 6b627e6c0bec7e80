import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import {
  type ClientId,
  clientIdCharacters,
  holderOfOwner,
  isChosenClientId,
  isClientId,
  isUrlClientId,
  makeClientHolder,
  type OwnerId,
} from '../../../src/model/ids.ts'

const urlOf = (characters: number): string => 'https://a.example/'.padEnd(characters, 'x')

const urls = [
  'https://a.example/',
  'https://a.example:8443/clients/~me/app.json',
  'https://a.example/a%20b/%7E?tenant=a:b&x=~;y,z',
  'https://[2001:db8::1]/client',
  "https://a.example/it's",
  urlOf(clientIdCharacters.url),
]

describe('client ids that an operator may choose', () => {
  test('words', () => {
    const words = ['a', 'photo-printer', 'A.b_c-9', '...', 'x'.repeat(clientIdCharacters.word)]
    assert.deepEqual(
      words.filter((id) => !isChosenClientId(id)),
      [],
    )
    const none = ['', '.', '..', 'a b', 'a:b', 'a~b', 'a/b', 'ä', 'x'.repeat(201), '0'.repeat(26)]
    assert.deepEqual(none.filter(isChosenClientId), [])
  })

  test('https URLs', () => {
    assert.deepEqual(
      urls.filter((id) => !isChosenClientId(id) || !isUrlClientId(id)),
      [],
    )
  })

  test('no URL with a second spelling, a user name or a fragment, and no other scheme', () => {
    const none = [
      'https://a.example',
      'https://A.example/',
      'HTTPS://a.example/',
      'https://a.example:443/',
      'https://a.example/a/../b',
      'https://a.example/%2e%2e/b',
      'https://a.example/a b',
      'https://a.example/"',
      'https://a.example\\b',
      'https://user@a.example/',
      'https://user:word@a.example/',
      'https://a.example/#',
      'https://a.example/#x',
      'https://ä.example/',
      'https:a.example/',
      'https:///a.example/',
      'http://a.example/',
      'ftp://a.example/',
      'javascript:alert(1)',
      urlOf(clientIdCharacters.url + 1),
    ]
    assert.deepEqual(
      none.filter((id) => isChosenClientId(id) || isUrlClientId(id)),
      [],
    )
  })
})

test('each chosen id is one that is looked for', () => {
  assert.deepEqual(
    [...urls, 'a'].filter((id) => !isClientId(id)),
    [],
  )
})

test('no client is ever the holder that an owner is, whatever their ids', () => {
  const id = fc.oneof(fc.string(), fc.constantFrom('owner:', 'client:', 'owner:x', 'https://a/'))
  fc.assert(
    fc.property(id, id, id, (one, other, prefix) => {
      const owner = holderOfOwner(one as OwnerId)
      assert.notEqual(makeClientHolder(other as ClientId), owner)
      assert.notEqual(makeClientHolder(`${prefix}${owner}` as ClientId), owner)
      const isSame = makeClientHolder(one as ClientId) === makeClientHolder(other as ClientId)
      assert.equal(isSame, one === other)
    }),
  )
})
