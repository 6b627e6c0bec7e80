/** Examples of the consent page, and of the page that resumes a paused access. */

import type { View } from '../../../src/paper/view.ts'
import { type ConsentPage, renderConsent } from '../../../src/rooms/oauth/consent/page.ts'
import { type ResumePage, renderResume } from '../../../src/rooms/oauth/resume.ts'
import { longDecisions, shortDecisions } from './decisions.ts'
import { cell, csrf, journey, longName, now, owner, rows, rowsWithActions } from './values.ts'

const resume: Omit<ResumePage, 'view'> = {
  csrf,
  journey,
  clientName: 'Photo Printer',
  clientRegisteredBy: 'operator',
  clientUri: 'https://printer.example/',
  owner,
  pause: { at: now, by: 'owner', unusedDays: null },
  redirectHost: 'printer.example',
}

const consent: Omit<ConsentPage, 'view'> = {
  csrf,
  journey,
  requester: 'the-requester',
  change: null,
  client: {
    name: 'Photo Printer',
    uri: 'https://printer.example/',
    logoPath: null,
    reason: 'Without seeing a photo there is nothing to print.',
    selfRegistered: false,
    registeredAt: now - 86_400,
  },
  redirectHost: 'printer.example',
  opensApplication: false,
  owner: { ...owner, pictureName: 'face' },
  rows,
  about: [
    {
      word: 'openid',
      title: 'Your identity',
      cell: { ...cell('openid', 'Knows that it is you', { required: true }), values: null },
    },
    {
      word: 'email',
      title: 'Email address',
      cell: {
        ...cell('email', 'Sees your email address'),
        values: [{ label: 'Email', value: `${'long.'.repeat(30)}@example.com` }],
      },
    },
    {
      word: 'phone',
      title: 'Phone number',
      cell: { ...cell('phone', 'Sees your phone number'), values: [] },
    },
  ],
  leftOut: `attic, ${'x'.repeat(80)}...`,
}

export const consentSamples = (view: View): Readonly<Record<string, string>> => ({
  consent: renderConsent({ view, ...consent }),
  'consent-details': renderConsent({
    view,
    ...consent,
    details: [
      {
        place: 0,
        title: 'Payments',
        actions: ['Pay from your account'],
        harm: 'spend',
        note: 'at bank.example.com',
        values: [
          { name: 'amount', label: 'Amount', value: '800.00' },
          { name: 'currency', label: 'Currency', value: 'EUR' },
          { label: 'To', value: `${'Landlord '.repeat(30)}\u202e` },
        ],
      },
      { place: 1, title: 'Photos', actions: ['See your photos'], harm: null, values: [] },
    ],
  }),
  'consent-unsettled': renderConsent({ view, ...consent, problem: 'unsettled' }),
  'consent-unverified': renderConsent({
    view,
    ...consent,
    client: {
      ...consent.client,
      name: longName,
      uri: `https://printer.example/${'an-address-of-its-own/'.repeat(90)}`,
      selfRegistered: true,
      looksLike: longName,
    },
    redirectHost: `${'sub.'.repeat(30)}example`,
  }),
  'consent-document': renderConsent({
    view,
    ...consent,
    client: {
      ...consent.client,
      selfRegistered: true,
      documentHost: `${'sub.'.repeat(30)}helper.example`,
      isLocal: true,
    },
    redirectHost: '127.0.0.1:43210',
  }),
  'consent-changed': renderConsent({
    view,
    ...consent,
    change: {
      name: ['Photo Printer', longName],
      hosts: ['printer.example', `${'sub.'.repeat(30)}example 127.0.0.1 vscode`],
      responseTypes: ['code', 'code token'],
      method: ['client_secret_basic', 'none'],
    },
    client: {
      ...consent.client,
      name: longName,
      selfRegistered: true,
      documentHost: 'helper.example',
    },
  }),
  'consent-actions': renderConsent({ view, ...consent, rows: rowsWithActions }),
  ...shortDecisions(view),
  ...longDecisions(view),
  resume: renderResume({ view, ...resume }),
  'resume-long': renderResume({
    view,
    ...resume,
    clientName: longName,
    clientRegisteredBy: 'itself',
    pause: { at: now, by: 'service', unusedDays: 1000 },
    redirectHost: `${'sub.'.repeat(30)}example`,
  }),
})
