/** All words of the playground. */
import { apiWords } from './words/api.ts'
import { browserWords } from './words/browser.ts'
import { callbackWords } from './words/callback.ts'
import { checkWords } from './words/checks.ts'
import { claimWords } from './words/claims.ts'
import { directWords } from './words/direct.ts'
import { discoveryWords } from './words/discovery.ts'
import { elsewhereWords } from './words/elsewhere.ts'
import { fieldWords } from './words/fields.ts'
import { flowWords } from './words/flows.ts'
import { jwtWords } from './words/jwt.ts'
import { loginWords } from './words/login.ts'
import { logoutWords } from './words/logout.ts'
import { moreLoginWords } from './words/more-login.ts'
import { openidFieldWords } from './words/openid-fields.ts'
import { ownFieldWords } from './words/own-fields.ts'
import { pauseWords } from './words/pause.ts'
import { strangerWords } from './words/strangers.ts'
import { tokenWords } from './words/tokens.ts'
import { playgroundWords } from './words/words.ts'

export const playgroundAreas = [
  apiWords,
  browserWords,
  callbackWords,
  checkWords,
  claimWords,
  directWords,
  discoveryWords,
  elsewhereWords,
  fieldWords,
  flowWords,
  jwtWords,
  loginWords,
  logoutWords,
  moreLoginWords,
  openidFieldWords,
  ownFieldWords,
  pauseWords,
  strangerWords,
  tokenWords,
  playgroundWords,
] as const
