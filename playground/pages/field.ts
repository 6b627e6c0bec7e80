/** One field of a message or of a JWT: its value, its meaning, and the section of its specification. */
import type { Language } from '../../src/model/language.ts'
import { html, type Markup } from '../../src/paper/markup.ts'
import { claimWords } from '../words/claims.ts'
import { fieldWords } from '../words/fields.ts'
import { openidFieldWords } from '../words/openid-fields.ts'
import { ownFieldWords } from '../words/own-fields.ts'
import { playgroundWords } from '../words/words.ts'
import { claimSections } from './claim-sections.ts'
import type { Field } from './exchanged.ts'
import { fieldSections, type Section } from './sections.ts'

/** A field of a request, of an answer, or a claim: one name may mean something else in each. */
export type FieldKind = 'sent' | 'received' | 'claims'

const shownCharacters = 120

const shortened = (value: string): string =>
  value.length <= shownCharacters ? value : `${value.slice(0, shownCharacters)}…`

/** Specifications of the OpenID Foundation. */
const openidSpecs: Readonly<Record<string, string>> = {
  OIDC: 'openid-connect-core-1_0',
  'OIDC Registration': 'openid-connect-registration-1_0',
  'OIDC Discovery': 'openid-connect-discovery-1_0',
  'OIDC RP-Initiated Logout': 'openid-connect-rpinitiated-1_0',
  'OIDC Back-Channel Logout': 'openid-connect-backchannel-1_0',
  'OIDC CIBA': 'openid-client-initiated-backchannel-authentication-core-1_0',
  'OIDC Front-Channel Logout': 'openid-connect-frontchannel-1_0',
}

const sectionUrl = ([document, section]: Section): string => {
  const number = /^RFC (\d+)$/.exec(document)?.[1]
  if (number !== undefined) return `https://www.rfc-editor.org/rfc/rfc${number}#section-${section}`
  const spec = openidSpecs[document]
  if (spec !== undefined) return `https://openid.net/specs/${spec}.html`
  return `https://datatracker.ietf.org/doc/html/${document}#section-${section}`
}

const find = <Value>(known: Readonly<Record<string, Value>>, name: string): Value | null =>
  Object.hasOwn(known, name) ? (known[name] ?? null) : null

/** A header with two meanings. Its value tells which. */
const nameOf = ([name, value]: Field): string => {
  if (name !== 'authorization') return name
  return value.startsWith('Bearer ') ? 'bearer' : value.startsWith('DPoP ') ? 'bound' : name
}

interface Meaning {
  readonly text: string
  readonly section: Section | null
}

const meaningOfClaim = (name: string, language: Language): Meaning | null => {
  const text = find<string>(claimWords(language), name)
  return text === null ? null : { text, section: find<Section | null>(claimSections, name) }
}

const meaningOf = (name: string, side: 'sent' | 'received', language: Language): Meaning | null => {
  const texts = [fieldWords, openidFieldWords, ownFieldWords].map((words) =>
    find<string>(words(language)[side], name),
  )
  const text = texts.find((one) => one !== null)
  return text == null ? null : { text, section: find<Section>(fieldSections[side], name) }
}

const placeOf = (section: Section, language: Language): Markup => {
  const [document, part] = section
  const place = playgroundWords(language).section({ document, section: part })
  return html` <a class="place" href="${sectionUrl(section)}" rel="noopener noreferrer">${place}</a>`
}

export const renderField = (field: Field, kind: FieldKind, language: Language): Markup => {
  const [name, value] = field
  const meaning =
    kind === 'claims' ? meaningOfClaim(name, language) : meaningOf(nameOf(field), kind, language)
  if (meaning === null) {
    return html`<div><dt><code>${name}</code></dt><dd><code>${shortened(value)}</code></dd></div>`
  }
  const place = meaning.section === null ? null : placeOf(meaning.section, language)
  return html`<div><dt><code>${name}</code></dt><dd><code>${shortened(value)}</code><br>${meaning.text}${place}</dd></div>
`
}
