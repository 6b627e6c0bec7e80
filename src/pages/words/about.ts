/** Texts about the words of a scope, for the owner. */
import type { Language } from '../../model/language.ts'
import type { OwnClaims } from '../../model/own-word.ts'
import { type claimsOfWord, isStandardWord, type ScopeWord } from '../../model/scope-word.ts'
import { defineWords } from '../catalog.ts'

interface OfWord {
  /** In lists, such as of what happened. */
  readonly title: string
  /** What it lets an application do. */
  readonly text: string
}

type AboutTexts = Readonly<Record<keyof typeof claimsOfWord, OfWord>>

const english: AboutTexts = {
  openid: { title: 'Your identity', text: 'Knows that it is you' },
  profile: { title: 'Profile', text: 'Sees your name and profile' },
  email: { title: 'Email address', text: 'Sees your email address' },
  address: { title: 'Postal address', text: 'Sees your postal address' },
  phone: { title: 'Phone number', text: 'Sees your phone number' },
  offline_access: {
    title: 'Access while you are away',
    text: 'Keeps its access while you are away',
  },
}

const chinese: AboutTexts = {
  openid: { title: '您的身份', text: '知道是您本人' },
  profile: { title: '个人资料', text: '查看您的姓名和个人资料' },
  email: { title: '电子邮箱地址', text: '查看您的电子邮箱地址' },
  address: { title: '邮寄地址', text: '查看您的邮寄地址' },
  phone: { title: '电话号码', text: '查看您的电话号码' },
  offline_access: {
    title: '您离开时的访问',
    text: '在您离开时继续访问',
  },
}

export const aboutWords = defineWords(
  { heading: 'About you', nothingStored: 'nothing is stored here', of: english },
  { heading: '关于您', nothingStored: '此处没有存储', of: chinese },
)

/** The texts of a word. Those of the operator's own words are in the setting `claims`. */
export const textsOf = (word: ScopeWord, own: readonly OwnClaims[], language: Language): OfWord => {
  if (isStandardWord(word)) return aboutWords[language].of[word]
  const found = own.find((one) => one.word === word)
  return { title: found?.title[language] ?? word, text: found?.text[language] ?? word }
}
