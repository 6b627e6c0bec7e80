/** Uploaded pictures: only what draws them is kept, and nothing but a plain picture is taken. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parsePlainPicture, pictureLimits } from '../../../../src/model/plain/picture.ts'
import { makeJpeg, makePng, makeWebp } from '../../../support/pictures.ts'

const secret = Buffer.from('Exif\0\0 51.5N 0.1W <script>alert(1)</script>')

const kinds = {
  'image/png': [
    makePng,
    [
      ['eXIf', secret],
      ['tEXt', secret],
      ['iCCP', secret],
    ],
  ],
  'image/jpeg': [
    makeJpeg,
    [
      [0xe1, secret],
      [0xfe, secret],
      [0xe2, secret],
      [0xe0, secret],
    ],
  ],
  'image/webp': [
    makeWebp,
    [
      ['EXIF', secret],
      ['XMP ', secret],
      ['ICCP', secret],
    ],
  ],
} as const

for (const [type, [make, hidden]] of Object.entries(kinds)) {
  const build = make as (...given: readonly unknown[]) => Buffer
  const plain = build()

  describe(type, () => {
    test('a plain one stays as it is', () => {
      const found = parsePlainPicture(plain)
      assert.equal(found?.type, type)
      assert.deepEqual(Buffer.from(found.bytes), plain)
    })

    test('what does not draw it goes, and what follows it too', () => {
      const found = parsePlainPicture(Buffer.concat([build({}, hidden), secret]))
      assert.deepEqual(Buffer.from(found?.bytes ?? []), plain)
    })

    test('it is as large as the limits say, and no larger', () => {
      const { pixels, bytes } = pictureLimits
      assert.ok(parsePlainPicture(build({ width: pixels, height: pixels })))
      assert.equal(parsePlainPicture(build({ width: pixels + 1 })), null)
      assert.equal(parsePlainPicture(build({ height: pixels + 1 })), null)
      assert.equal(parsePlainPicture(Buffer.concat([plain, Buffer.alloc(bytes)])), null)
    })

    test('every shorter beginning of it is refused', () => {
      for (let length = 0; length < plain.length; length++) {
        assert.equal(parsePlainPicture(plain.subarray(0, length)), null, String(length))
      }
    })

    test('no changed byte makes it fail, or gives back more than came', () => {
      for (let at = 0; at < plain.length; at++) {
        for (const value of [0, 1, 0x7f, 0xff]) {
          const changed = Buffer.from(plain)
          changed[at] = value
          const found = parsePlainPicture(changed)
          assert.ok(found === null || found.bytes.length <= plain.length)
        }
      }
    })
  })
}

test('other files are refused, whatever they begin with', () => {
  const gif = Buffer.from('GIF89a\x01\0\x01\0\0\0\0;', 'latin1')
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>')
  const animated = makePng({}, [['acTL', Buffer.alloc(8)]])
  const moving = makeWebp({}, [['ANIM', Buffer.alloc(6)]])
  const page = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), secret])
  for (const file of [Buffer.of(), gif, svg, animated, moving, page]) {
    assert.equal(parsePlainPicture(file), null)
  }
})
