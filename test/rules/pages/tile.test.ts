import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pickTileColor, renderTile } from '../../../src/paper/tile.ts'

test('a tile has the first letter of the name, and the picture on top', () => {
  assert.equal(
    renderTile('quill', null).toString(),
    `<span class="tile ${pickTileColor('quill')}" aria-hidden="true">Q</span>`,
  )
  assert.equal(
    renderTile('Quill', '/assets/client-logo?client_id=a&version=b', {
      size: 'big',
      isPerson: true,
    }).toString(),
    `<span class="tile ${pickTileColor('Quill')} big person" aria-hidden="true">Q<img src="/assets/client-logo?client_id=a&amp;version=b" alt=""></span>`,
  )
})

test('a letter may be more than one unit, and a name may have none', () => {
  assert.match(renderTile('𝒜lice', null).toString(), />𝒜</)
  assert.match(renderTile('', null).toString(), /^<span class="tile [a-z]+" aria-hidden="true">/)
})

test('five colours are used, and a name always has the same', () => {
  const names = Array.from({ length: 200 }, (_, at) => `Application ${at}`)
  assert.equal(new Set(names.map(pickTileColor)).size, 5)
  assert.deepEqual(names.map(pickTileColor), names.map(pickTileColor))
})
