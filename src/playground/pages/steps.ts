/** Words of the playground: every step, and every way to break it. */
import type { Language } from '../../model/language.ts'
import { apiWords } from '../words/api.ts'
import { browserWords } from '../words/browser.ts'
import { directWords } from '../words/direct.ts'
import { discoveryWords } from '../words/discovery.ts'
import { elsewhereWords } from '../words/elsewhere.ts'
import { jwtWords } from '../words/jwt.ts'
import { loginWords } from '../words/login.ts'
import { logoutWords } from '../words/logout.ts'
import { moreLoginWords } from '../words/more-login.ts'
import { pauseWords } from '../words/pause.ts'
import { strangerWords } from '../words/strangers.ts'
import { tokenWords } from '../words/tokens.ts'

export interface StepWords {
  readonly title: string
  /** What happens, before it does. */
  readonly text: string
  /** What it meant, once somebody tried to break it. */
  readonly meaning?: string
}

type Areas = typeof browserWords &
  typeof directWords &
  typeof tokenWords &
  typeof apiWords &
  typeof discoveryWords &
  typeof elsewhereWords &
  typeof strangerWords &
  typeof pauseWords &
  typeof loginWords &
  typeof logoutWords &
  typeof moreLoginWords &
  typeof jwtWords

export type PlayStepName = keyof Areas['en']

const wordsIn = (language: Language): Readonly<Record<PlayStepName, StepWords>> => ({
  ...browserWords[language],
  ...directWords[language],
  ...tokenWords[language],
  ...apiWords[language],
  ...discoveryWords[language],
  ...elsewhereWords[language],
  ...strangerWords[language],
  ...pauseWords[language],
  ...loginWords[language],
  ...logoutWords[language],
  ...moreLoginWords[language],
  ...jwtWords[language],
})

export const stepWords: Readonly<Record<Language, Readonly<Record<PlayStepName, StepWords>>>> = {
  en: wordsIn('en'),
  zh: wordsIn('zh'),
}
