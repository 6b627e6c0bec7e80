/** All words of the pages, for whoever compares a language with English. */

import { mailWords } from './mail/words.ts'
import { aboutWords } from './paper/words/about.ts'
import { consentWords } from './paper/words/consent.ts'
import { errorWords } from './paper/words/error.ts'
import { loginWords } from './paper/words/login.ts'
import { mistakeWords } from './paper/words/mistakes.ts'
import { passkeyWords } from './paper/words/passkeys.ts'
import { passwordWords } from './paper/words/password.ts'
import { passwordFieldWords } from './paper/words/password-field.ts'
import { pauseWords } from './paper/words/pause.ts'
import { phrases } from './paper/words/phrases.ts'
import { requesterChangeWords } from './paper/words/requester-change.ts'
import { secondStepWords } from './paper/words/second-step.ts'
import { sessionWords } from './paper/words/sessions.ts'
import { upstreamWords } from './paper/words/upstreams.ts'
import { accessWords } from './rooms/account/access/words.ts'
import { accountWords } from './rooms/account/applications/words.ts'
import { deletionWords } from './rooms/account/deletion/words.ts'
import { downloadWords } from './rooms/account/download/words.ts'
import { emailWords } from './rooms/account/email/words.ts'
import { endedWords } from './rooms/account/ended/words.ts'
import { eventWords } from './rooms/account/events/words.ts'
import { accountFrameWords } from './rooms/account/frame-words.ts'
import { useWords } from './rooms/account/ledger/words.ts'
import { profileWords } from './rooms/account/profile/words.ts'
import { securityWords } from './rooms/account/security/words.ts'
import { consoleClientsWords } from './rooms/console/clients/words.ts'
import { consoleEventsWords } from './rooms/console/events/words.ts'
import { chartWords } from './rooms/console/overview/words.ts'
import { consoleOwnersWords } from './rooms/console/owners/words.ts'
import { consoleServiceWords } from './rooms/console/service/words.ts'
import { consoleRefusalsWords, consoleTokenWords, consoleWords } from './rooms/console/words.ts'
import { logoutWords } from './rooms/login/logout-words.ts'
import { formPostWords } from './rooms/oauth/form-post/words.ts'
import { operatorWords } from './rooms/operator/words.ts'
import { homeWords } from './rooms/site/home-words.ts'
import { linkWords } from './rooms/ways/link-words.ts'
import { waysInWords } from './rooms/ways/words.ts'

export const pageAreas = [
  aboutWords,
  accountFrameWords,
  accessWords,
  accountWords,
  chartWords,
  consentWords,
  consoleClientsWords,
  consoleRefusalsWords,
  consoleServiceWords,
  consoleTokenWords,
  consoleWords,
  consoleEventsWords,
  consoleOwnersWords,
  deletionWords,
  downloadWords,
  emailWords,
  endedWords,
  errorWords,
  eventWords,
  formPostWords,
  homeWords,
  linkWords,
  loginWords,
  logoutWords,
  mailWords,
  mistakeWords,
  operatorWords,
  passkeyWords,
  passwordFieldWords,
  passwordWords,
  pauseWords,
  phrases,
  profileWords,
  requesterChangeWords,
  secondStepWords,
  securityWords,
  sessionWords,
  upstreamWords,
  useWords,
  waysInWords,
] as const
