/** The settings of sign-up and mail. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { loadSettings, SettingsFault } from '../../../src/config/load.ts'

const load = (env: Readonly<Record<string, string>>) => loadSettings({ env, flags: {}, cwd: '/' })

const faultsOf = (env: Readonly<Record<string, string>>): readonly string[] => {
  try {
    load(env)
    return []
  } catch (fault) {
    assert.ok(fault instanceof SettingsFault)
    return fault.faults
  }
}

const from = { LATCHKEY_MAIL_FROM: 'login@service.example' }

describe('the settings of mail', () => {
  it('name a server, with a user and a password or without both', () => {
    for (const smtp of [
      'smtps://mail.example',
      'smtp://mail.example:587',
      'smtps://latchkey:p%40ss@mail.example:465/',
      'smtp://[::1]:25',
    ]) {
      assert.equal(load({ ...from, LATCHKEY_SMTP: smtp }).smtp, smtp)
    }
  })

  it('refuse anything else, and repeat no password', () => {
    const fault =
      'LATCHKEY_SMTP must be smtps://USER:PASSWORD@HOST:PORT or smtp://USER:PASSWORD@HOST:PORT'
    for (const smtp of [
      'mail.example',
      'https://mail.example',
      'smtp://',
      'smtp://latchkey@mail.example',
      'smtps://latchkey:hidden@mail.example/path',
      'smtps://latchkey:hidden@mail.example?tls=no',
    ]) {
      assert.deepEqual(faultsOf({ ...from, LATCHKEY_SMTP: smtp }), [fault])
    }
  })

  it('need a sender, which is one plain address', () => {
    assert.deepEqual(faultsOf({ LATCHKEY_SMTP: 'smtps://mail.example' }), [
      'LATCHKEY_MAIL_FROM must be set, since LATCHKEY_SMTP is',
    ])
    for (const address of ['login', 'Login <a@b.example>', 'a@b.example, c@d.example', 'a@b@c']) {
      const [fault = ''] = faultsOf({ LATCHKEY_MAIL_FROM: address })
      assert.match(fault, /^LATCHKEY_MAIL_FROM must be an email address such as login@example\.com/)
    }
  })
})

describe('sign-up', () => {
  it('is open in the demo, else off', () => {
    assert.equal(load({}).signUp, 'open')
    assert.equal(load({ LATCHKEY_DEMO: '0' }).signUp, 'off')
    assert.equal(load({ LATCHKEY_DEMO: '0', LATCHKEY_SIGN_UP: 'invited' }).signUp, 'invited')
    assert.deepEqual(faultsOf({ LATCHKEY_SIGN_UP: 'yes' }), [
      'LATCHKEY_SIGN_UP must be one of off, invited, open, not "yes"',
    ])
  })
})
