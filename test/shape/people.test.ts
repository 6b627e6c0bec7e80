/** `latchkey owner import` and `owner export`, alone on a store and beside a running service. */
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import {
  closeSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import { after, describe, it } from 'node:test'
import { firebaseHash, hashesFromElsewhere } from '../support/password-hashes.ts'
import { runCommand } from './hosted.ts'
import { program } from './made-program.ts'
import { shellEnvironment, startProgram } from './process.ts'
import type { Outcome } from './tool.ts'

const place = mkdtempSync(join(tmpdir(), 'latchkey-import-'))
after(() => rmSync(place, { recursive: true }))

let shops = 0
const shop = (settings: Readonly<Record<string, string>> = {}) => {
  const store = join(place, `${shops++}.db`)
  const env = shellEnvironment(place, {
    PORT: '0',
    LATCHKEY_DEMO: '0',
    LATCHKEY_STORE: `sqlite:${store}`,
    ...settings,
  })
  return {
    env,
    latchkey: (args: string): Promise<Outcome> => runCommand(args.split(' '), { cwd: place, env }),
    start: async () => {
      const service = startProgram(process.execPath, [program], { cwd: place, env })
      await service.ready
      return async (): Promise<void> => {
        process.kill(service.pid, 'SIGTERM')
        assert.equal(await service.ended, 0)
      }
    },
  }
}

const file = (name: string, lines: readonly (object | string)[]): string => {
  const texts = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)))
  writeFileSync(join(place, name), texts.map((text) => `${text}\n`).join(''))
  return name
}

const people = (count: number): readonly object[] =>
  Array.from({ length: count }, (_, i) => ({
    username: `person-${i}`,
    name: `Person ${i}`,
    email: `person-${i}@example.com`,
    email_verified: i % 2 === 0,
    claims: { given_name: 'Person', address: { locality: 'Oxford' } },
    attributes: { groups: ['staff'] },
    roles: [],
    groups: [],
    disabled: i % 100 === 0,
    created_at: 1_600_000_000 + i,
    ...(i % 10 === 0 ? {} : { password_hash: hashesFromElsewhere[2]?.stored }),
  }))

const counts = (change: object) =>
  JSON.stringify(
    { created: 0, existing: 0, changed: 0, refused: 0, dry_run: false, ...change },
    null,
    2,
  )

const linesOf = (name: string): readonly string[] =>
  readFileSync(join(place, name), 'utf8').trimEnd().split('\n')

describe('latchkey owner import and export', () => {
  it('begin a demo only where no issuer is set, say so once, and not to try it out', async () => {
    const demo = shop({ LATCHKEY_DEMO: '1' })
    file('one.ndjson', people(1))
    const dry = await demo.latchkey('owner import one.ndjson --dry-run --json')
    const empty = await demo.latchkey('owner export')
    const first = await demo.latchkey('owner import one.ndjson')
    const again = await demo.latchkey('owner import one.ndjson')
    assert.deepEqual(dry, { code: 0, output: `${counts({ created: 1, dry_run: true })}\n` })
    assert.deepEqual(empty, { code: 0, output: '' })
    assert.match(first.output, /gets the demo, since .*\n {2}created {2}1\n$/)
    assert.deepEqual(again, { code: 0, output: '  existing  1\n' })
  })

  it('bring a few hundred people from one store to another, beside a service too', async () => {
    const from = shop()
    const to = shop()
    file('people.ndjson', people(450))
    const dry = await from.latchkey('owner import people.ndjson --dry-run')
    const first = await from.latchkey('owner import people.ndjson --json')
    const again = await from.latchkey('owner import people.ndjson --json')
    const exported = await from.latchkey('owner export all.ndjson --with-password-hashes')
    const without = await from.latchkey('owner export')
    const end = await to.start()
    const beside = await to.latchkey('owner import all.ndjson --json')
    const back = await to.latchkey('owner export back.ndjson --with-password-hashes --json')
    await end()

    const would = 'This would happen, and nothing was written:\n  created  450\n'
    assert.deepEqual(dry, { code: 0, output: would })
    assert.deepEqual(first, { code: 0, output: `${counts({ created: 450 })}\n` })
    assert.deepEqual(again, { code: 0, output: `${counts({ existing: 450 })}\n` })
    assert.deepEqual(exported, { code: 0, output: 'Exported 450 owners to all.ndjson.\n' })
    assert.deepEqual(
      linesOf('all.ndjson')
        .map((line) => JSON.parse(line))
        .sort((a, b) => a.created_at - b.created_at)
        .map(({ sub, ...others }) => others),
      people(450),
    )
    assert.equal(statSync(join(place, 'all.ndjson')).mode & 0o777, 0o600)
    assert.equal(/hash|\$2b/.test(without.output), false)
    assert.equal(without.output.trimEnd().split('\n').length, 450)
    assert.deepEqual(beside, { code: 0, output: `${counts({ created: 450 })}\n` })
    assert.deepEqual(JSON.parse(back.output), { file: 'back.ndjson', owners: 450 })
    assert.deepEqual([...linesOf('back.ndjson')].sort(), [...linesOf('all.ndjson')].sort())
  })

  it('goes on where a run was killed, and doubles nobody', async () => {
    const { latchkey, start, env } = shop()
    const end = await start()
    file('many.ndjson', ['{', ...people(2000)])
    const child = spawn(process.execPath, [program, 'owner', 'import', 'many.ndjson'], {
      cwd: place,
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    // The first batch is done, and nine are to come.
    await new Promise((resolve) => child.stderr.once('data', resolve))
    child.kill('SIGKILL')
    await new Promise((resolve) => child.once('close', resolve))
    const again = await latchkey('owner import many.ndjson --json --rejects rest.ndjson')
    const exported = await latchkey('owner export')
    await end()

    assert.equal(again.code, 1)
    const said = JSON.parse(again.output.slice(again.output.indexOf('{\n')))
    assert.ok(said.existing >= 199, again.output)
    assert.equal(said.existing + said.created, 2000)
    assert.equal(said.refused, 1)
    assert.match(again.output, /^many\.ndjson:1: the line is not JSON$/m)
    assert.deepEqual(linesOf('rest.ndjson'), ['{'])
    const names = exported.output
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).username)
    assert.equal(names.length, 2000)
    assert.equal(new Set(names).size, 2000)
  })

  it('ends a batch after Ctrl-C, and says how to go on', async () => {
    const { env, latchkey } = shop()
    const names = Array.from({ length: 2000 }, (_, i) => ({ username: `person-${i}` }))
    const whole = readFileSync(join(place, file('interrupted.ndjson', ['{', ...names])), 'utf8')
    const half = whole.indexOf('{"username":"person-1000"}')
    // The second half comes when the signal has been sent, so that the import cannot end before.
    const pipe = join(place, 'pipe.ndjson')
    execFileSync('mkfifo', [pipe])
    const writer = openSync(pipe, 'r+')
    const child = spawn(process.execPath, [program, 'owner', 'import', pipe], {
      cwd: place,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const said = textOf(child.stdout)
    writeSync(writer, whole.slice(0, half))
    await new Promise((resolve) => child.stderr.once('data', resolve))
    child.kill('SIGINT')
    writeSync(writer, whole.slice(half))
    closeSync(writer)
    const code = await new Promise((resolve) => child.once('close', resolve))
    const again = await latchkey('owner import interrupted.ndjson --json')

    assert.equal(code, 130)
    const [, created = ''] = /^ {2}created +([\d,]+)\n {2}refused +1\n/m.exec(await said) ?? []
    assert.match(await said, /\nInterrupted\. Run the import again: it goes on\.\n$/)
    const before = Number(created.replace(',', ''))
    assert.ok(before >= 199 && before < 2000, created)
    const { existing, created: rest } = JSON.parse(again.output.slice(again.output.indexOf('{\n')))
    assert.deepEqual([existing, rest], [before, 2000 - before])
  })

  it('names every line that it refuses, and writes them to a file to mend', async () => {
    const { latchkey } = shop()
    file('bad.csv', [
      'username,name,password_hash',
      'Ada,Ada,',
      'ada,Another,',
      'Ada,Countess,',
      'bob,Bob,{SSHA}Ux2JMpFgVzNb3QkNjVl5W7eOqGtRxYzA',
      ',Nobody,',
      'eve,"Eve',
    ])
    const outcome = await latchkey('owner import bad.csv --rejects mend.csv')
    const reasons = [
      'bad.csv:3: there is an owner Ada, which is the same name',
      'bad.csv:4: there is an owner Ada with another name or email address',
      'bad.csv:5: password_hash is a userPassword of LDAP, but its scheme is not taken: only PBKDF2, ARGON2 and bcrypt are',
      'bad.csv:6: username has to be text of 1 to 200 visible characters, no blank at either end',
      'bad.csv:7: its quotes do not fit',
    ]
    assert.equal(outcome.code, 1)
    for (const reason of reasons) assert.ok(outcome.output.includes(`${reason}\n`), reason)
    assert.match(outcome.output, /^ {2}created +1\n {2}refused +5$/m)
    const [header, ...lines] = linesOf('mend.csv')
    assert.equal(header, 'username,name,password_hash')
    assert.equal(lines.length, 5)
    assert.equal((await latchkey('owner import mend.csv')).code, 1)
  })

  it('takes a person who was deleted only by a flag', async () => {
    const { latchkey } = shop()
    // The name of a file writes nothing else to the terminal.
    const gone = file('gone\u001b[7m.ndjson', [{ username: 'gone', sub: 'S-gone' }])
    assert.equal((await latchkey(`owner import ${gone}`)).code, 0)
    assert.equal((await latchkey('owner delete gone --yes')).code, 0)
    for (const dry of ['', ' --dry-run']) {
      const { code, output } = await latchkey(`owner import ${gone}${dry}`)
      assert.equal(code, 1)
      const reason = 'the owner with this sub was deleted here (--with-deleted takes it)'
      assert.ok(output.includes(`gone\\u001b[7m.ndjson:1: ${reason}\n`), output)
    }
    assert.equal((await latchkey(`owner import ${gone} --with-deleted`)).code, 0)
    const again = await latchkey(`owner import ${gone}`)
    assert.match(again.output, /existing +1/)
  })

  it('shows a terminal no character that it would obey', async () => {
    const { latchkey } = shop()
    const name = 'Ada \u202egnp.exe\u2066 \u2028x'
    file('marks.ndjson', [{ username: 'ada', name, attributes: { note: '\u009b31m' } }])
    await latchkey('owner import marks.ndjson')
    for (const args of [
      'owner show ada',
      'owner show ada --json',
      'owner list',
      'owner list --json',
    ]) {
      const { output } = await latchkey(args)
      assert.doesNotMatch(output, /[\u0080-\u009f\u202e\u2066\u2028]/, args)
    }
    assert.equal(JSON.parse((await latchkey('owner show ada --json')).output).name, name)
    const { output } = await latchkey('owner show \u009b31m\u202e')
    assert.match(output, /\\u009b31m\\u202e/)
  })

  it('keeps the subject of a person, and names each line with one that is taken', async () => {
    const { latchkey } = shop()
    file('subjects.ndjson', [
      { username: 'ada', sub: 'auth0|5f7c8ec7' },
      { username: 'bob', sub: 'auth0|5f7c8ec7' },
      { username: 'ada', sub: 'auth0|another' },
      { username: 'ivy', sub: 'https://idp.example/ivy' },
      { username: 'joe' },
    ])
    const outcome = await latchkey('owner import subjects.ndjson')
    const dry = await latchkey('owner import subjects.ndjson --dry-run')
    const { output } = await latchkey('owner export')
    const reasons = [
      '2: this sub is the one of the owner ada',
      '3: there is an owner ada with another sub',
      '4: sub has to be text of 1 to 128 ASCII letters, digits and _.~:@|=,+/?#%-, a letter or digit first, and no URL',
    ]
    for (const reason of reasons) {
      assert.ok(outcome.output.includes(`subjects.ndjson:${reason}\n`), outcome.output)
      assert.ok(dry.output.includes(`subjects.ndjson:${reason}\n`), dry.output)
    }
    assert.match(outcome.output, /^ {2}created +2\n {2}refused +3$/m)
    const exported = output
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    const subjects = new Map(exported.map(({ username, sub }) => [username, sub]))
    assert.equal(subjects.get('ada'), 'auth0|5f7c8ec7')
    assert.match(subjects.get('joe'), /^[0-9a-z]{26}$/)
    const { latchkey: elsewhere } = shop()
    writeFileSync(join(place, 'moved.ndjson'), output)
    await elsewhere('owner import moved.ndjson')
    assert.deepEqual(
      (await elsewhere('owner export')).output.split('\n').sort(),
      output.split('\n').sort(),
    )
  })

  it('changes owners that exist, if asked, and leaves their passwords alone', async () => {
    const { latchkey } = shop()
    const [, , { stored } = { stored: '' }, , { stored: other } = { stored: '' }] =
      hashesFromElsewhere
    file('one.ndjson', [{ username: 'ada', name: 'Ada', password_hash: stored }])
    file('two.ndjson', [
      { username: 'ada', name: 'Countess', disabled: true, created_at: 1, password_hash: other },
    ])
    await latchkey('owner import one.ndjson')
    const changed = await latchkey('owner import two.ndjson --update --json')
    const again = await latchkey('owner import two.ndjson --update --json')
    const { output } = await latchkey('owner export --with-password-hashes')
    assert.equal(changed.output, `${counts({ changed: 1 })}\n`)
    assert.equal(again.output, `${counts({ existing: 1 })}\n`)
    const { name, disabled, password_hash: hash } = JSON.parse(output)
    assert.deepEqual({ name, disabled, hash }, { name: 'Countess', disabled: true, hash: stored })
  })

  it('takes the hash parameters of a Firebase project as its console shows them', async () => {
    const { latchkey } = shop()
    file('firebase.ndjson', [{ username: 'user1', created_at: null, password_hash: firebaseHash }])
    file('parameters.txt', [
      'hash_config {',
      '  algorithm: SCRYPT,',
      '  base64_signer_key: jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==,',
      '  base64_salt_separator: Bw==,',
      '  rounds: 8,',
      '  mem_cost: 14,',
      '}',
    ])
    const without = await latchkey('owner import firebase.ndjson')
    const outcome = await latchkey(
      'owner import firebase.ndjson --firebase-parameters parameters.txt',
    )
    const { output } = await latchkey('owner export --with-password-hashes')
    assert.match(without.output, /it needs the hash parameters of the project/)
    assert.equal(outcome.code, 0, outcome.output)
    assert.equal(JSON.parse(output).password_hash, hashesFromElsewhere[3]?.stored)
  })

  it('does not write over a file, nor import a file that is not there', async () => {
    const { latchkey } = shop()
    file('here.ndjson', [{ username: 'ada' }])
    const none = await latchkey('owner import nothing.ndjson')
    await latchkey('owner import here.ndjson')
    const over = await latchkey('owner export here.ndjson')
    const self = await latchkey('owner import here.ndjson --rejects ./here.ndjson')
    assert.match(none.output, /there is no file/)
    assert.match(over.output, /there is a file here.ndjson already/)
    assert.match(self.output, /--rejects has to be another file/)
    assert.deepEqual(linesOf('here.ndjson'), ['{"username":"ada"}'])
  })
})
