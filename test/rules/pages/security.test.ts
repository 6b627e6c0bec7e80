/** The pages of second factors: what they offer when, and that names stay text. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { renderSecondStep } from '../../../src/paper/second-step.ts'
import { type Addition, renderPasskeys } from '../../../src/rooms/account/security/passkeys.ts'
import { samplePasskey } from '../../store/sample.ts'
import { english } from '../../support/view.ts'
import { tagsOf } from './reading.ts'

const asked = {
  view: english,
  csrf: 'csrf',
  ceremony: 'ceremony',
  journey: '',
  next: '',
  elsewhere: null,
  problem: null,
  waitSeconds: null,
  tried: null,
}

const fieldsOf = (page: string): readonly string[] =>
  tagsOf(page)
    .filter(({ name }) => name === 'input')
    .map(({ attributes }) => attributes.name ?? '')

const scriptsOf = (page: string) => tagsOf(page).filter(({ name }) => name === 'script')

describe('the second step', () => {
  test('offers what its owner has, and brings a script for a passkey alone', () => {
    const codes = renderSecondStep({
      ...asked,
      hasCodes: true,
      hasRecoveryCodes: false,
      passkeyOptions: null,
    })
    assert.deepEqual(fieldsOf(codes), ['csrf', 'journey', 'ceremony', 'code'])
    assert.deepEqual(scriptsOf(codes), [])
    const passkey = renderSecondStep({
      ...asked,
      hasCodes: false,
      hasRecoveryCodes: true,
      passkeyOptions: { challenge: 'x' },
    })
    const fields = fieldsOf(passkey)
    assert.deepEqual(fields.slice(0, 4), ['csrf', 'journey', 'ceremony', 'credential'])
    assert.deepEqual(fields.slice(4), ['csrf', 'journey', 'ceremony', 'recovery_code'])
    assert.equal(scriptsOf(passkey).length, 1)
  })
})

describe('the page of passkeys', () => {
  const page = (name: string, addition: Addition) => {
    const ownerId = 'alice' as Parameters<typeof samplePasskey>[0]
    return renderPasskeys({
      view: english,
      csrf: 'csrf',
      owner: { username: name, name: '' },
      factors: {
        passkeys: [samplePasskey(ownerId, { name })],
        oneTimeCodes: null,
        recoveryCodes: 0,
        passkeyOnly: false,
        formerPassword: null,
      },
      passwordChangedAt: 0,
      addition,
      notice: null,
      problem: null,
    })
  }

  test('changes nothing for whoever has not proven to be there', () => {
    const late = page('Telephone', null)
    const forms = tagsOf(late).filter(({ name }) => name === 'form')
    assert.deepEqual(
      forms.map(({ attributes }) => attributes.action),
      ['/logout'],
    )
    assert.deepEqual(
      scriptsOf(late).map(({ attributes }) => attributes.src),
      ['/assets/account.js'],
    )
    assert.match(late, /href="\/account\/confirm\?next=security%2Fpasskeys"/)
  })

  test('shows names and options as text', () => {
    const shape = (text: string) => {
      const options = { rp: { name: text } }
      return tagsOf(page(text, { is: 'here', ceremony: 'x', options })).map(
        ({ name, attributes }) => [name, ...Object.keys(attributes)],
      )
    }
    for (const hostile of ['"><script>alert(1)</script>', "' onfocus='alert(1)", '&quot;<b>']) {
      assert.deepEqual(shape(hostile), shape('harmless'), hostile)
    }
  })
})
