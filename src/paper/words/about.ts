/** Texts about the words of a scope, for the owner. */
import { type Language, pickText } from '../../model/language.ts'
import {
  type claimsOfWord,
  isStandardWord,
  type OwnClaims,
  type ScopeWord,
} from '../../model/scope-word.ts'
import { defineWords } from '../catalog.ts'

interface OfWord {
  /** In lists, such as of what happened. */
  readonly title: string
  /** What it lets an application do. */
  readonly text: string
}

type AboutTexts = Readonly<Record<keyof typeof claimsOfWord, OfWord>>

const standard = {
  openid: { title: 'Your identity', text: 'Knows that it is you' },
  profile: { title: 'Profile', text: 'Sees your name and profile' },
  email: { title: 'Email address', text: 'Sees your email address' },
  address: { title: 'Postal address', text: 'Sees your postal address' },
  phone: { title: 'Phone number', text: 'Sees your phone number' },
  groups: { title: 'Groups', text: 'Sees the groups you are in' },
  offline_access: {
    title: 'Access while you are away',
    text: 'Keeps its access while you are away',
  },
} as const satisfies AboutTexts

export const aboutWords = defineWords('about', {
  heading: 'About you',
  nothingStored: 'nothing is stored here',
  sees: 'Sees: {title}',
  of: standard,
  claims: {
    name: 'Name',
    family_name: 'Family name',
    given_name: 'Given name',
    middle_name: 'Middle name',
    nickname: 'Nickname',
    preferred_username: 'Username',
    profile: 'Profile page',
    picture: 'Picture',
    website: 'Website',
    gender: 'Gender',
    birthdate: 'Birthday',
    zoneinfo: 'Time zone',
    locale: 'Language',
    email: 'Email',
    address: 'Address',
    phone_number: 'Phone',
    groups: 'Groups',
  },
})

/** What pages call a claim. A claim of the operator's own has its name alone. */
export const claimLabel = (claim: string, language: Language): string => {
  const labels: Readonly<Record<string, string>> = aboutWords(language).claims
  return Object.hasOwn(labels, claim) ? (labels[claim] ?? claim) : claim
}

/** The texts of a word. Texts of the operator's own words are in the setting `claims`. */
export const explain = (word: ScopeWord, own: readonly OwnClaims[], language: Language): OfWord => {
  const words = aboutWords(language)
  if (isStandardWord(word)) return words.of[word]
  const found = own.find((one) => one.word === word)
  if (found === undefined) return { title: word, text: word }
  const title = pickText(found.title, language)
  return {
    title,
    text: found.text === null ? words.sees({ title }) : pickText(found.text, language),
  }
}
