/** Words of the playground: every step, and every way to break it. */
import type { Language } from '../../src/model/language.ts'
import { apiWords } from '../words/api.ts'
import { assertionWords } from '../words/assertions.ts'
import { backchannelStepWords } from '../words/backchannel.ts'
import { browserWords } from '../words/browser.ts'
import { detailStepWords } from '../words/details.ts'
import { deviceStepWords } from '../words/device.ts'
import { directWords } from '../words/direct.ts'
import { discoveryWords } from '../words/discovery.ts'
import { dpopWords } from '../words/dpop.ts'
import { elsewhereWords } from '../words/elsewhere.ts'
import { exchangeStepWords } from '../words/exchange.ts'
import { grantStepWords } from '../words/grants.ts'
import { jwtWords } from '../words/jwt.ts'
import { loginWords } from '../words/login.ts'
import { logoutWords } from '../words/logout.ts'
import { moreLoginWords } from '../words/more-login.ts'
import { certificateWords } from '../words/mutual-tls.ts'
import { pauseWords } from '../words/pause.ts'
import { signalStepWords } from '../words/signals.ts'
import { strangerWords } from '../words/strangers.ts'
import { tokenWords } from '../words/tokens.ts'
import { trustedIssuerWords } from '../words/trusted-issuer.ts'

export interface StepWords {
  readonly title: string
  /** What happens, before it does. */
  readonly text: string
  /** What it meant, once somebody tried to break it. */
  readonly meaning?: string
}

const areas = [
  browserWords,
  directWords,
  deviceStepWords,
  tokenWords,
  apiWords,
  discoveryWords,
  elsewhereWords,
  detailStepWords,
  grantStepWords,
  strangerWords,
  pauseWords,
  loginWords,
  logoutWords,
  moreLoginWords,
  jwtWords,
  signalStepWords,
  dpopWords,
  trustedIssuerWords,
  backchannelStepWords,
  assertionWords,
  certificateWords,
  exchangeStepWords,
] as const

/** The steps of all areas in one. */
type AllSteps = ReturnType<typeof browserWords> &
  ReturnType<typeof directWords> &
  ReturnType<typeof deviceStepWords> &
  ReturnType<typeof tokenWords> &
  ReturnType<typeof apiWords> &
  ReturnType<typeof discoveryWords> &
  ReturnType<typeof elsewhereWords> &
  ReturnType<typeof detailStepWords> &
  ReturnType<typeof grantStepWords> &
  ReturnType<typeof strangerWords> &
  ReturnType<typeof pauseWords> &
  ReturnType<typeof loginWords> &
  ReturnType<typeof logoutWords> &
  ReturnType<typeof moreLoginWords> &
  ReturnType<typeof jwtWords> &
  ReturnType<typeof signalStepWords> &
  ReturnType<typeof dpopWords> &
  ReturnType<typeof trustedIssuerWords> &
  ReturnType<typeof backchannelStepWords> &
  ReturnType<typeof assertionWords> &
  ReturnType<typeof certificateWords> &
  ReturnType<typeof exchangeStepWords>

export type PlayStepName = keyof AllSteps

export const stepWords = (language: Language): Readonly<Record<PlayStepName, StepWords>> =>
  Object.assign({}, ...areas.map((words) => words(language)))
