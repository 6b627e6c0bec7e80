/** The fields of the kinds, and what can be chosen in them. */
import { listAllPermissions, listOwnerPermissions } from '../../../../access/permission.ts'
import { publicMethod } from '../../../../model/client.ts'
import { pickText } from '../../../../model/language.ts'
import { listActions, type Resource } from '../../../../model/resource.ts'
import { isStandardWord, listWords } from '../../../../model/scope-word.ts'
import { sayName } from '../../../../paper/fields.ts'
import { html } from '../../../../paper/markup.ts'
import { aboutWords } from '../../../../paper/words/about.ts'
import type { ChoiceNeeds, KindChoice, KindField, KindMember, KindWords } from './kind.ts'

export const listTyped = (...names: readonly KindMember[]): readonly KindField[] =>
  names.map((name) => ({ name, is: 'typed' }))

export const listNeeded = (...names: readonly KindMember[]): readonly KindField[] =>
  names.map((name) => ({ name, is: 'typed', isNeeded: true }))

const listPermissions = (resource: Resource, { language }: ChoiceNeeds): readonly KindChoice[] => {
  const { name, read, write, actions, title } = resource
  const texts: Readonly<Record<string, Resource['title']>> = { ...actions, read, write }
  return listActions(resource).map((action) => ({
    value: `${name}:${action}`,
    text: html`${sayName(pickText(texts[action] ?? title, language))} <code>${name}:${action}</code>`,
    group: pickText(title, language),
  }))
}

const listPersonal = (
  { language, settings: { claims } }: ChoiceNeeds,
  { choices }: KindWords,
): readonly KindChoice[] => {
  const about = aboutWords(language).of
  return listWords(claims).map((word) => {
    const own = claims.find((one) => one.word === word)
    const text = isStandardWord(word)
      ? about[word].text
      : pickText(own?.text ?? own?.title ?? {}, language)
    return {
      value: word,
      text: html`${sayName(text)} <code>${word}</code>`,
      group: choices.aboutPerson,
    }
  })
}

/** Permissions at the service itself, such as those of the admin API. */
const listOfService = (
  { resources, settings: { claims: words } }: ChoiceNeeds,
  { choices }: KindWords,
): readonly KindChoice[] => {
  const all = resources.list()
  const shown: readonly string[] = [...listOwnerPermissions(all), ...listWords(words)]
  return listAllPermissions({ list: () => all, words })
    .filter((name) => !shown.includes(name))
    .map((name) => ({ value: name, text: html`<code>${name}</code>`, group: choices.service }))
}

/** What an application may ask people for. */
export const personScope: KindField = {
  name: 'scope',
  is: 'some',
  isNeeded: true,
  begins: ['openid', 'profile'],
  choices: (needs, words) => [
    ...listPersonal(needs, words),
    ...needs.resources.list().flatMap((resource) => listPermissions(resource, needs)),
  ],
}

/** What a program gets for itself. */
export const machineScope: KindField = {
  name: 'scope',
  is: 'some',
  isNeeded: true,
  begins: [],
  choices: (needs, words) => [
    ...needs.resources.list().flatMap((resource) => listPermissions(resource, needs)),
    ...listOfService(needs, words),
  ],
}

export const refresh: KindField = {
  name: 'grant_types',
  is: 'some',
  begins: ['refresh_token'],
  choices: (_needs, { choices }) => [{ value: 'refresh_token', text: choices.refresh }],
}

/** The words of each method that a form offers. */
const methods = {
  [publicMethod]: 'nothing',
  client_secret_basic: 'secret',
  private_key_jwt: 'key',
  tls_client_auth: 'authority',
  self_signed_tls_client_auth: 'selfSigned',
} as const

type OfferedMethod = keyof typeof methods

/** @param names in their order; the first is chosen. A method that the service does not offer is left out */
const makeMethod = (...names: readonly OfferedMethod[]): KindField => ({
  name: 'token_endpoint_auth_method',
  is: 'one',
  isNeeded: true,
  begins: names.slice(0, 1),
  choices: ({ registries }, { choices }) =>
    names
      .filter((name) => registries.clientMethods.some((method) => method.name === name))
      .map((name) => ({ value: name, text: choices[methods[name]] })),
})

/** How a client with a secret, a key or a certificate proves itself. */
export const proof: readonly KindField[] = [
  makeMethod(
    'client_secret_basic',
    'private_key_jwt',
    'tls_client_auth',
    'self_signed_tls_client_auth',
  ),
  { name: 'jwks_uri', is: 'typed', of: 'key' },
  { name: 'jwks', is: 'typed', of: 'key' },
  {
    name: 'tls_client_auth_subject_dn',
    is: 'typed',
    of: 'certificate',
    isOffered: ({ registries }) =>
      registries.clientMethods.some(({ name }) => name === 'tls_client_auth'),
  },
]

export const secretOrNothing: KindField = makeMethod(publicMethod, 'client_secret_basic')

export const tokenFormat: KindField = {
  name: 'access_token_format',
  is: 'one',
  begins: ['opaque'],
  choices: (_needs, { choices }) =>
    (['opaque', 'jwt'] as const).map((value) => ({ value, text: choices[value] })),
}

/** Behind "More" of each application that people use. */
export const personMore: readonly KindField[] = listTyped(
  'client_id',
  'client_uri',
  'logo_uri',
  'tos_uri',
  'policy_uri',
  'contacts',
  'allowed_groups',
  'post_logout_redirect_uris',
  'access_token_seconds',
  'refresh_token_seconds',
)
