/**
 * Commands on refused pages: a shell splits them into the intended arguments, whatever was put in.
 */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { after, describe, test } from 'node:test'
import fc from 'fast-check'
import {
  makeAdminCommand,
  makeTokenCommand,
  requestCommand,
} from '../../../src/requests/commands.ts'
import { writeScript } from '../../shape/process.ts'
import { openShell } from '../../support/shell.ts'

const shell = openShell()
after(() => shell.close())

const hostile = [
  `'; touch broken; '`,
  '$(touch broken)',
  '`touch broken`',
  '"; touch broken #',
  'a\ntouch broken\n',
  '\\',
  `'"'"'`,
  '!!',
  '@/etc/passwd',
  '\u202e\u2028\u001b[2J',
  '[a-z]{1,2}*',
]

const issuer = "http://127.0.0.1:6749/o'neil"

describe('a command on a refused page', () => {
  test('is one line of printable ASCII, and sends what was meant', () => {
    const text = fc.oneof(
      fc.constantFrom(...hostile),
      fc.string({ unit: 'binary', maxLength: 20 }).filter((one) => one.isWellFormed()),
    )
    fc.assert(
      fc.property(text, (value) => {
        const admin = makeAdminCommand(
          'PATCH',
          'clients/a',
          { redirect_uris: [value] },
          issuer,
        ).text
        const sent = new URLSearchParams({ state: value, [value]: 'x' })
        const request = requestCommand(sent, issuer).text
        for (const command of [admin, request]) assert.match(command, /^[\x20-\x7e]+$/)

        const called = shell.argumentsOf(admin)
        const url = shell.argumentsOf(request).at(-1) ?? ''

        assert.deepEqual(called.slice(0, -2), [
          '-sS',
          '-X',
          'PATCH',
          '-H',
          'Authorization: Bearer T',
          '-H',
          'Content-Type: application/json',
          '--data-raw',
        ])
        assert.deepEqual(JSON.parse(called.at(-2) ?? ''), { redirect_uris: [value] })
        assert.equal(called.at(-1), `${issuer}/admin/api/clients/a`)
        assert.deepEqual([...new URL(url).searchParams], [...sent])
        // Characters that curl itself would expand are encoded.
        assert.doesNotMatch(url, /[[\]{}*]/)
      }),
      { numRuns: 60 },
    )
    assert.deepEqual(shell.left(), [])
  })

  test('without a body sends none', () => {
    assert.equal(
      makeAdminCommand('GET', 'clients', null, 'https://a.example').text,
      `curl -sS -X GET -H "Authorization: Bearer $ADMIN_TOKEN" 'https://a.example/admin/api/clients'`,
    )
  })

  test('takes the access token out of the answer', () => {
    const programs = mkdtempSync(join(tmpdir(), 'latchkey-curl-'))
    after(() => rmSync(programs, { recursive: true }))
    writeScript(programs, 'curl', [
      `printf '%s' '{"access_token":"lk_at_abc","token_type":"Bearer","scope":"a:read"}'`,
    ])
    const env = { PATH: `${programs}${delimiter}${process.env.PATH ?? ''}` }
    const command = `${makeTokenCommand('a:b', issuer)}; printf '%s' "$ADMIN_TOKEN"`
    assert.equal(execFileSync('/bin/sh', ['-c', command], { env, encoding: 'utf8' }), 'lk_at_abc')
  })
})
