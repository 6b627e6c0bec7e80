/** All words of the pages, for whoever compares a language with English. */
import { aboutWords } from './words/about.ts'
import { accessWords } from './words/access.ts'
import { accountWords } from './words/account.ts'
import { accountFrameWords } from './words/account-frame.ts'
import { chartWords } from './words/charts.ts'
import { consentWords } from './words/consent.ts'
import { consoleWords } from './words/console.ts'
import { consoleClientsWords } from './words/console-clients.ts'
import { consoleEventsWords } from './words/console-events.ts'
import { consoleOwnersWords } from './words/console-owners.ts'
import { consoleRefusalsWords } from './words/console-refusals.ts'
import { consoleServiceWords } from './words/console-service.ts'
import { consoleTokenWords } from './words/console-token.ts'
import { deletionWords } from './words/deletion.ts'
import { downloadWords } from './words/download.ts'
import { emailWords } from './words/email.ts'
import { endedWords } from './words/ended.ts'
import { errorWords } from './words/error.ts'
import { eventWords } from './words/events.ts'
import { formPostWords } from './words/form-post.ts'
import { homeWords } from './words/home.ts'
import { linkWords } from './words/links.ts'
import { loginWords } from './words/login.ts'
import { logoutWords } from './words/logout.ts'
import { mailWords } from './words/mails.ts'
import { mistakeWords } from './words/mistakes.ts'
import { operatorWords } from './words/operator.ts'
import { passkeyWords } from './words/passkeys.ts'
import { passwordWords } from './words/password.ts'
import { passwordFieldWords } from './words/password-field.ts'
import { pauseWords } from './words/pause.ts'
import { phrases } from './words/phrases.ts'
import { profileWords } from './words/profile.ts'
import { requesterChangeWords } from './words/requester-change.ts'
import { secondStepWords } from './words/second-step.ts'
import { securityWords } from './words/security.ts'
import { sessionWords } from './words/sessions.ts'
import { upstreamWords } from './words/upstreams.ts'
import { useWords } from './words/uses.ts'
import { waysInWords } from './words/ways-in.ts'

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
