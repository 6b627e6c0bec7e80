/**
 * Filled-in examples of every page, in its ordinary and its longest form, by name. Those of an area
 * lie in one file of `samples/`.
 */
import type { View } from '../../src/paper/view.ts'
import { chinese, english } from '../support/view.ts'
import { accountSamples } from './samples/account.ts'
import { applicationsSamples } from './samples/applications.ts'
import { backchannelSamples } from './samples/backchannel.ts'
import { componentSamples } from './samples/components.ts'
import { consentSamples } from './samples/consent.ts'
import { consoleSamples } from './samples/console.ts'
import { consoleClientSamples } from './samples/console-clients.ts'
import { consoleOwnerSamples } from './samples/console-owners.ts'
import { consoleServiceSamples } from './samples/console-service.ts'
import { deviceSamples } from './samples/device.ts'
import { groupSamples } from './samples/groups.ts'
import { issuerSamples } from './samples/issuers.ts'
import { loginSamples } from './samples/login.ts'
import { securitySamples } from './samples/security.ts'
import { serviceSamples } from './samples/service.ts'
import { streamSamples } from './samples/streams.ts'
import { waysInSamples } from './samples/ways-in.ts'

type Samples = Readonly<Record<string, string>>

/** All of them in the language of a view. */
export const samplesIn = (view: View): Samples => ({
  ...componentSamples(view),
  ...loginSamples(view),
  ...consentSamples(view),
  ...deviceSamples(view),
  ...backchannelSamples(view),
  ...applicationsSamples(view),
  ...accountSamples(view),
  ...securitySamples(view),
  ...waysInSamples(view),
  ...issuerSamples(view),
  ...groupSamples(view),
  ...streamSamples(view),
  ...serviceSamples(view),
  ...consoleSamples(view),
  ...consoleOwnerSamples(view),
  ...consoleClientSamples(view),
  ...consoleServiceSamples(view),
})

/** The languages beside English that every page is seen in. A further one is a line here. */
const otherLanguages: Readonly<Record<string, View>> = { zh: chinese }

/** The language of a page by its name; null for English. */
export const languageOf = (name: string): string | null =>
  Object.keys(otherLanguages).find((language) => name.startsWith(`${language}-`)) ?? null

const inOtherLanguages = Object.entries(otherLanguages).flatMap(([language, view]) =>
  Object.entries(samplesIn(view)).map(([name, page]) => [`${language}-${name}`, page] as const),
)

/** The server of the browser tests serves each under its name. */
export const samples: Samples = { ...samplesIn(english), ...Object.fromEntries(inOtherLanguages) }
