/** Examples of the pages around second factors, for the tests in a browser. */
import { renderConfirm, renderSecondStep } from '../../../src/paper/second-step.ts'
import type { View } from '../../../src/paper/view.ts'
import { renderFinished, renderLost } from '../../../src/rooms/account/lost/page.ts'
import type { LostPage } from '../../../src/rooms/account/lost/steps.ts'
import type { Walk } from '../../../src/rooms/account/lost/walk.ts'
import { renderOffer } from '../../../src/rooms/account/security/offer.ts'
import { renderSecurity, type SecurityPage } from '../../../src/rooms/account/security/page.ts'
import { type PasskeysPage, renderPasskeys } from '../../../src/rooms/account/security/passkeys.ts'
import { renderCodesSetup, renderRecoveryCodes } from '../../../src/rooms/account/security/setup.ts'
import type { ShownSession } from '../../../src/rooms/account/sessions/shown.ts'
import { samplePasskey } from '../../store/sample.ts'
import { csrf, journey, longName, now, owner } from './values.ts'

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
  madeBy: 'owner' as const,
}

const upstreamsOf = (view: View): SecurityPage['upstreams'] => ({
  view,
  csrf,
  upstreams: [
    { id: 'google', title: 'Google', mark: 'search' },
    { id: 'github', title: 'GitHub', mark: 'branch' },
  ],
  links: [link],
  isOpen: true,
})

const session: ShownSession = {
  handle: 'h'.repeat(26) as ShownSession['handle'],
  network: '203.0.113.*',
  methods: ['pwd', 'otp', 'mfa'],
  startedAt: now - 3600,
  seenAt: now,
  program: 'Chrome',
  system: 'Linux',
  isThis: true,
  isHere: true,
}

const others: readonly ShownSession[] = [
  { ...session, isThis: false, program: 'Firefox', system: 'Windows', network: '198.51.100.*' },
  {
    ...session,
    handle: 'i'.repeat(26) as ShownSession['handle'],
    isThis: false,
    program: 'Safari',
    system: 'iPhone',
    methods: ['swk', 'user', 'mfa'],
    seenAt: now - 9000,
  },
]

const lostSamples = (view: View): Readonly<Record<string, string>> => {
  const app = {
    id: 'a'.repeat(26),
    name: 'Camera Upload',
    registeredBy: 'operator' as const,
    logoPath: null,
    what: 'Changes photos · Sees photos, contacts',
    createdAt: now - 60,
  }
  const walk: Walk = { why: 'phone', step: 1, event: '', session: '' }
  const lost: LostPage = {
    view,
    csrf,
    owner,
    walk,
    about: { at: now - 3600, handle: 'i'.repeat(26), says: 'Safari on iPhone, 3 hours ago' },
    isConfirmed: true,
    sessions: others,
    hasMore: true,
    passkeys,
    links: [{ ...link, title: 'Google' }],
    suspects: ['google'],
    hasApp: true,
    apps: [app, { ...app, name: longName, registeredBy: 'itself', createdAt: now - 90_000 }],
    appCount: 3,
    pausedCount: 1,
    password: 'old',
    leastCharacters: 15,
    problem: null,
  }
  const at = (step: Walk['step'], more: Partial<LostPage> = {}): LostPage => ({
    ...lost,
    ...more,
    walk: { ...walk, step },
  })
  const out = { sessions: [] }
  const codes = Array.from({ length: 10 }, () => '7kq2m-x94f1')
  return {
    lost: renderLost(lost, false),
    'lost-2': renderLost(at(2, out), true),
    'lost-2-late': renderLost(at(2, { isConfirmed: false }), false),
    'lost-3': renderLost(at(3, out), false),
    'lost-4': renderLost(at(4, { ...out, problem: 'This password has 5 characters.' }), false),
    'lost-done': renderFinished(at(5, { ...out, password: 'new' }), {
      ceremony,
      codes,
      replaces: true,
    }),
    'lost-open': renderFinished(at(5), 'late'),
  }
}

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
    upstreams: upstreamsOf(view),
    sessions: [session, ...others.slice(0, 1)],
    sessionCount: 3,
    notice: 'The passkey was added.',
  }
  const passkeysPage: PasskeysPage = {
    ...page,
    addition: { is: 'here', ceremony, options: {} },
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
  const codes = Array.from({ length: 10 }, () => 'k3f9w-2m8xq')
  const setup = { view, csrf, ceremony, secret, uri }
  const ways = { isStrong: false, hasPassword: true, upstreams: [] }
  const confirmed = { view, owner, next: 'security', ...ways }
  return {
    ...lostSamples(view),
    security: renderSecurity(page),
    'security-none': renderSecurity({
      ...page,
      factors: none,
      upstreams: { ...page.upstreams, upstreams: [], links: [] },
      sessions: [session],
      sessionCount: 1,
      notice: null,
    }),
    'security-few': renderSecurity({
      ...page,
      factors: { ...page.factors, passkeyOnly: true, formerPassword: null, recoveryCodes: 2 },
      notice: null,
    }),
    'passkey-offer': renderOffer({
      view,
      csrf,
      addition: { is: 'here', ceremony, options: {} },
      name: 'Chrome on Linux',
    }),
    passkeys: renderPasskeys(passkeysPage),
    'passkeys-none': renderPasskeys({
      ...passkeysPage,
      factors: none,
      addition: { is: 'elsewhere', url },
      notice: null,
    }),
    'passkeys-late': renderPasskeys({ ...passkeysPage, addition: null, notice: null }),
    'passkeys-problem': renderPasskeys({
      ...passkeysPage,
      factors: { ...page.factors, recoveryCodes: 0 },
      notice: null,
      problem: 'passkeyProblem',
    }),
    'security-codes': renderCodesSetup({ ...setup, since: null, problem: null }),
    'security-codes-wrong': renderCodesSetup({ ...setup, since: now, problem: 'setupWrong' }),
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
