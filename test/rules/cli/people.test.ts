/** Files of owners: lines, quotes, and whatever a spreadsheet or an enemy puts there. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import fc from 'fast-check'
import {
  type Format,
  lineBytes,
  longestLineBytes,
  openPeople,
  parseCsv,
  splitRecords,
} from '../../../src/cli/people/read.ts'
import { memoryOr } from '../../support/memory.ts'

const place = mkdtempSync(join(memoryOr(), 'latchkey-people-'))
after(() => rmSync(place, { recursive: true }))

/** What is read, each with its line. */
const read = async (content: string | Buffer, format: Format) => {
  const path = join(place, 'people')
  writeFileSync(path, content)
  const records = []
  for await (const { line, read } of openPeople(path, format).records()) {
    records.push([line, 'problem' in read ? read.problem : { ...read.members }])
  }
  return JSON.parse(JSON.stringify(records))
}

describe('a CSV file', () => {
  it('has members by its header, with dots into objects', async () => {
    const csv = [
      'username,name,email_verified,created_at,claims.given_name,claims.address.locality,attributes,groups',
      'ada,Ada,TRUE,1600000000,Ada,London,"{""teams"":[""staff""]}","[""Engineering"",""wiki, editors""]"',
      'bob,,false,,,,,',
    ]
    assert.deepEqual(await read(csv.join('\r\n'), 'csv'), [
      [
        2,
        {
          username: 'ada',
          name: 'Ada',
          email_verified: true,
          created_at: 1600000000,
          claims: { given_name: 'Ada', address: { locality: 'London' } },
          attributes: { teams: ['staff'] },
          groups: ['Engineering', 'wiki, editors'],
        },
      ],
      [3, { username: 'bob', email_verified: false }],
    ])
  })

  it('has commas, quotes and line ends in quotes, and the lines are still counted', async () => {
    const csv = '\ufeffusername,name\n"a,b","He said ""hi""\r\n\nand left"\n\nc,d\n'
    assert.deepEqual(await read(csv, 'csv'), [
      [2, { username: 'a,b', name: 'He said "hi"\r\n\nand left' }],
      [6, { username: 'c', name: 'd' }],
    ])
  })

  it('has text that spreadsheets calculate with, and it stays text', async () => {
    const csv = 'username,name,created_at\n=1+1,"=cmd|\'/c calc\'!A0",=now()\n'
    const members = { username: '=1+1', name: "=cmd|'/c calc'!A0", created_at: '=now()' }
    assert.deepEqual(await read(csv, 'csv'), [[2, members]])
  })

  it('has lines that are refused, each with a reason', async () => {
    const csv = 'username,name\na\nb,c,d\n"e"f,g\nh"i,j\n\n'
    const quotes = 'its quotes do not fit'
    assert.deepEqual(await read(csv, 'csv'), [
      [2, 'it has 1 fields, and the header has 2'],
      [3, 'it has 3 fields, and the header has 2'],
      [4, quotes],
      // The quote that nobody closed takes the rest.
      [5, quotes],
    ])
  })

  it('is refused where a line would grow beyond what the service takes', async () => {
    const csv = `username,name\na,${'\u0001'.repeat(60_000)}\nb,c\n`
    const rest = [3, { username: 'b', name: 'c' }]
    assert.deepEqual(await read(csv, 'csv'), [[2, 'it is too long'], rest])
  })

  it('cannot reach the prototype of an object', async () => {
    const csv = 'username,__proto__.admin,claims.__proto__.admin\na,yes,yes\n'
    await read(csv, 'csv')
    assert.equal('admin' in {}, false)
  })

  it('has no column that leads deeper than any member', async () => {
    const deep = read(`username,${'a.'.repeat(20_000)}a\na,b\n`, 'csv')
    await assert.rejects(deep, /a column leads deeper than 20 names/)
  })

  for (const header of ['name,email', 'username;name', 'username,username', '"username']) {
    it(`needs a header with usernames: ${header}`, async () => {
      await assert.rejects(read(`${header}\na,b\n`, 'csv'))
    })
  }

  it('keeps any fields, however they are quoted', () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { minLength: 1, maxLength: 5 }), (fields) => {
        const text = fields.map((field) => `"${field.replaceAll('"', '""')}"`).join(',')
        assert.deepEqual(parseCsv(text), fields)
      }),
    )
  })
})

describe('a file with one JSON object for each line', () => {
  it('has a reason for each line that is none', async () => {
    const lines = ['{"username":"a"}', '{bad', '', '[]', '{"username":1e999}', '{"a":'.repeat(40)]
    const long = `{"name":"${'x'.repeat(lineBytes)}"}`
    const content = Buffer.concat([
      Buffer.from(`\ufeff${[...lines, long].join('\n')}\n{"username":"`),
      Buffer.from([0xff]),
      Buffer.from('"}'),
    ])
    assert.deepEqual(await read(content, 'ndjson'), [
      [1, { username: 'a' }],
      [2, 'the line is not JSON'],
      [4, 'the line has to be a JSON object'],
      [5, 'the number 1e999 at username cannot be kept exactly: send it as a string'],
      [6, 'the JSON line nests too deeply'],
      [7, `it is longer than ${lineBytes} bytes`],
      [8, 'it is not UTF-8'],
    ])
  })

  const wrong: Readonly<Record<string, string | Buffer>> = {
    'a JSON array': '[{"username":"a"}]',
    'UTF-16': Buffer.from('\ufeff{"username":"a"}\n', 'utf16le'),
    'does not end': 'x'.repeat(longestLineBytes + 1),
  }
  for (const [problem, content] of Object.entries(wrong)) {
    it(`is read no further where it is another file: ${problem}`, async () => {
      await assert.rejects(read(content, 'ndjson'), new RegExp(problem))
    })
  }
})

describe('a file that comes in pieces', () => {
  it('has the same records wherever it is cut', async () => {
    const whole = Buffer.from('username,name\r\n"a\nb",c\n\nd,"e""f"\ng,h')
    const recordsOf = async (...chunks: readonly Buffer[]) => {
      const stream = (async function* () {
        yield* chunks
      })()
      const records = []
      for await (const { line, bytes, end } of splitRecords(stream, true)) {
        records.push([line, bytes.toString(), end])
      }
      return records
    }
    const expected = [
      [1, 'username,name', 15],
      [2, '"a\nb",c', 23],
      [4, '', 24],
      [5, 'd,"e""f"', 33],
      [6, 'g,h', 36],
    ]
    for (let cut = 0; cut <= whole.length; cut++) {
      assert.deepEqual(await recordsOf(whole.subarray(0, cut), whole.subarray(cut)), expected)
    }
  })
})
