/** Examples of the pages around second factors, for the tests in a browser. */
import { renderConfirm, renderSecondStep } from '../../../src/paper/second-step.ts'
import type { View } from '../../../src/paper/view.ts'
import { renderSecurity, type SecurityPage } from '../../../src/rooms/account/security/page.ts'
import { renderCodesSetup, renderRecoveryCodes } from '../../../src/rooms/account/security/setup.ts'
import { samplePasskey } from '../../store/sample.ts'
import { event } from './account.ts'
import { csrf, journey, now, owner } from './values.ts'

const ceremony = 's'.repeat(200)
const secret = 'ABCD EFGH IJKL MNOP QRST UVWX YZ23 4567'
const uri = `otpauth://totp/Latchkey:alice?secret=${secret.replaceAll(' ', '')}&issuer=Latchkey`

const ownerId = 'alice' as Parameters<typeof samplePasskey>[0]

const passkeys = [
  samplePasskey(ownerId, { createdAt: now - 86_400, lastUsedAt: now, backedUp: true }),
  samplePasskey(ownerId, { name: 'A'.repeat(60), createdAt: now, backupEligible: false }),
]

const none = {
  passkeys: [],
  oneTimeCodes: null,
  recoveryCodes: 0,
  passkeyOnly: false,
  formerPassword: null,
}
const oneTimeCodes = { secret: 'gcm.x.y', lastStep: 1, createdAt: now }

const link = {
  ownerId,
  upstream: 'google',
  issuer: 'https://accounts.example',
  subject: '1',
  label: 'alice.l@google.example',
  createdAt: now - 86_400,
  lastUsedAt: null,
}

const upstreamsOf = (view: View): NonNullable<SecurityPage['upstreams']> => ({
  view,
  csrf,
  upstreams: [
    { id: 'google', title: 'Google' },
    { id: 'github', title: 'GitHub' },
  ],
  links: [link],
  isOpen: true,
})

const asked = { csrf, ceremony, passkeyOptions: {}, problem: null, waitSeconds: null } as const

export const securitySamples = (view: View): Readonly<Record<string, string>> => {
  const page: SecurityPage = {
    view,
    csrf,
    owner,
    factors: {
      passkeys,
      oneTimeCodes,
      recoveryCodes: 9,
      passkeyOnly: false,
      formerPassword: { from: 0, until: now },
    },
    passwordChangedAt: now - 86_400,
    addition: { is: 'here', ceremony, options: {} },
    upstreams: upstreamsOf(view),
    recent: [event, { ...event, type: 'login.failed' }],
    notice: 'The passkey was added.',
    problem: null,
  }
  const url = 'http://localhost:6749/login?next=security&switch=1'
  const second = {
    ...asked,
    view,
    journey,
    next: '',
    elsewhere: null,
    hasCodes: true,
    hasRecoveryCodes: true,
    tried: null,
  }
  const codes = Array.from({ length: 10 }, () => 'k3f9w-2m8xq-7c4tz-0hv5n-p6rjd')
  const ways = { isStrong: false, hasPassword: true, upstreams: [] }
  const confirmed = { view, owner, next: 'security', ...ways }
  return {
    security: renderSecurity(page),
    'security-none': renderSecurity({
      ...page,
      factors: none,
      addition: { is: 'elsewhere', url },
      notice: null,
    }),
    'security-late': renderSecurity({ ...page, addition: null, notice: null }),
    'security-problem': renderSecurity({
      ...page,
      factors: { ...page.factors, recoveryCodes: 0 },
      notice: null,
      problem: 'passkeyProblem',
    }),
    'security-codes': renderCodesSetup({ view, csrf, ceremony, secret, uri, problem: null }),
    'security-codes-wrong': renderCodesSetup({
      view,
      csrf,
      ceremony,
      secret,
      uri,
      problem: 'setupWrong',
    }),
    'security-recovery': renderRecoveryCodes({
      view,
      csrf,
      ceremony,
      codes,
      replaces: true,
      problem: null,
    }),
    'second-step': renderSecondStep(second),
    'second-step-wrong': renderSecondStep({
      ...second,
      problem: 'wrong',
      tried: 'one-time code',
    }),
    'second-step-elsewhere': renderSecondStep({
      ...second,
      passkeyOptions: null,
      hasCodes: false,
      elsewhere: 'http://localhost:6749/login',
    }),
    confirm: renderConfirm({ ...asked, ...confirmed, problem: 'wrong' }),
    'confirm-upstream': renderConfirm({
      ...asked,
      ...confirmed,
      problem: null,
      hasPassword: false,
      upstreams: [{ id: 'company', title: 'The company' }],
    }),
    'confirm-by-mail': renderConfirm({
      ...asked,
      ...confirmed,
      problem: null,
      passkeyOptions: null,
      hasPassword: false,
      hasForgot: true,
    }),
    'confirm-strongly': renderConfirm({
      ...asked,
      ...confirmed,
      problem: null,
      isStrong: true,
      hasPassword: false,
    }),
  }
}
