/** The indexes of `docs/` find what the source says. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { refusalsOf, rfcIndex } from './indexes.ts'
import { sourceOf } from './source.ts'

describe('the indexes', () => {
  it('find an RFC with its sections, and one that is named as a whole', () => {
    const planted = [
      sourceOf('a.ts', '/** Says so (RFC 6749 section 4.1.3). */'),
      sourceOf('b.ts', '/** RFC 6749 sections 4.1.3 and 5.2, RFC 7636. */'),
    ]
    assert.deepEqual(
      [...rfcIndex(planted)].map(([rfc, sections]) => [rfc, Object.fromEntries(sections)]),
      [
        ['6749', { '4.1.3': ['a.ts', 'b.ts'], '5.2': ['b.ts'] }],
        ['7636', { whole: ['b.ts'] }],
      ],
    )
  })

  it('find a refusal where it is written, through a named text, and through a function', () => {
    const planted = [
      sourceOf(
        'a.ts',
        `export const denied = (reason: string, said = 'no'): Refusal =>
  new Refusal('access_denied', reason, said)
const direct = () => {
  const told = 'it is late, come again'
  throw new Refusal('invalid_request', 'too_late', told)
}
const short = () => { throw denied('closed') }`,
      ),
      sourceOf('b.ts', `const open = (n) => { throw denied(\`full_\${n}\`, 'no (room), there') }`),
    ]
    assert.deepEqual(refusalsOf(planted), [
      { code: 'access_denied', reason: 'closed', description: 'no', path: 'a.ts' },
      { code: 'access_denied', reason: 'full_*', description: 'no (room), there', path: 'b.ts' },
      {
        code: 'invalid_request',
        reason: 'too_late',
        description: 'it is late, come again',
        path: 'a.ts',
      },
    ])
  })
})
