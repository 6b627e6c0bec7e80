/** The fields of the profile page, behind the row of each value. */
import type { Language } from '../../../model/language.ts'
import type { ProfileField } from '../../../owners/profile.ts'
import { renderField } from '../../../paper/fields.ts'
import { type Content, html, type Markup } from '../../../paper/markup.ts'
import type { WaitingAddress } from '../email/waiting.ts'
import { type AccountPageGiven, renderOption } from '../frame.ts'
import { profileWords } from './words.ts'

export type ProfileValues = Readonly<Record<ProfileField, string>>

export interface ProfilePage extends AccountPageGiven {
  readonly values: ProfileValues
  readonly zones: readonly string[]
  readonly languages: readonly Language[]
  readonly email: string
  readonly isVerified: boolean
  /** The address of a link under way. */
  readonly waiting: WaitingAddress | null
  /** Names. */
  readonly groups: readonly string[]
  readonly notice: string | null
  readonly problem: 'stale' | { readonly field: ProfileField } | null
}

/** How browsers fill the fields in (HTML, autofill), and the keyboards of telephones. */
const inputs: Readonly<Partial<Record<ProfileField, readonly [fill: string, keys?: string]>>> = {
  name: ['name'],
  given_name: ['given-name'],
  family_name: ['family-name'],
  nickname: ['nickname'],
  picture: ['off', 'url'],
  profile: ['off', 'url'],
  website: ['url', 'url'],
  gender: ['sex'],
  birthdate: ['bday'],
  phone_number: ['tel', 'tel'],
  postal_code: ['postal-code'],
  locality: ['address-level2'],
  region: ['address-level1'],
  country: ['country-name'],
}

const isAtFault = ({ problem }: ProfilePage, field: ProfileField): boolean =>
  problem !== null && problem !== 'stale' && problem.field === field

const renderText = (page: ProfilePage, field: ProfileField, hint: Content = null): Markup => {
  const { fields, remedies } = profileWords(page.view.language)
  const isWrong = isAtFault(page, field)
  const [fill, keys] = inputs[field] ?? ['off']
  const remedy = field === 'birthdate' ? 'birthdate' : keys === 'url' ? 'url' : 'text'
  return renderField({
    name: field,
    label: fields[field],
    input: html`type="text" value="${page.values[field]}" autocomplete="${fill}"${keys === undefined ? null : html` inputmode="${keys}"`}${isWrong ? html` autofocus` : null}`,
    hint,
    ...(isWrong ? { problem: remedies[remedy], describedBy: ['problem'] } : {}),
  })
}

const renderStreet = (page: ProfilePage): Markup => {
  const fault = html` aria-invalid="true" aria-describedby="problem" autofocus`
  return html`<label class="field"><span>${profileWords(page.view.language).fields.street_address}</span>
<textarea name="street_address" rows="2" autocomplete="street-address"${isAtFault(page, 'street_address') ? fault : null}>${page.values.street_address}</textarea></label>
`
}

const askFor = (page: ProfilePage, field: 'language' | 'zone', options: Content): Markup => {
  const words = profileWords(page.view.language)
  return html`<label class="field"><span>${words.fields[field]}</span>
<select name="${field}">${renderOption('', words.asBrowser, page.values[field])}${options}</select></label>
`
}

const renderLanguageChoice = (page: ProfilePage): Markup => {
  const known = page.languages.map(
    ({ tag, lang, name }) =>
      html`<option value="${tag}" lang="${lang}"${tag === page.values.language ? html` selected` : null}>${name}</option>`,
  )
  return askFor(page, 'language', known)
}

const renderZoneChoice = (page: ProfilePage): Markup => {
  const { zone } = page.values
  const isListed = zone === '' || page.zones.includes(zone)
  const known = page.zones.map(
    (one) => html`<option${one === zone ? html` selected` : null}>${one}</option>`,
  )
  return askFor(page, 'zone', html`${isListed ? null : renderOption(zone, zone, zone)}${known}`)
}

/** The rows of the form: each value, and the fields behind it. */
export const rows = {
  names: ['name', 'given_name', 'family_name', 'nickname'],
  phone: ['phone_number'],
  address: ['street_address', 'postal_code', 'locality', 'region', 'country'],
  pages: ['language', 'zone'],
  person: ['birthdate', 'gender'],
  web: ['picture', 'profile', 'website'],
} as const satisfies Readonly<Record<string, readonly ProfileField[]>>

export type RowName = keyof typeof rows

export const renderFields = (page: ProfilePage, row: RowName): Content => {
  const words = profileWords(page.view.language)
  const text = (field: ProfileField, hint: Content = null) => renderText(page, field, hint)
  switch (row) {
    case 'names':
      return html`${text('name')}
<div class="pair">${text('given_name')}${text('family_name')}</div>
${text('nickname')}`
    case 'phone':
      return text('phone_number')
    case 'address':
      return html`${renderStreet(page)}
<div class="pair">${text('postal_code')}${text('locality')}</div>
<div class="pair">${text('region')}${text('country')}</div>`
    case 'pages':
      return html`<div class="pair">${renderLanguageChoice(page)}${renderZoneChoice(page)}</div>`
    case 'person':
      return html`<div class="pair">${text('birthdate')}${text('gender')}</div>`
    case 'web':
      return html`${text('picture', words.pictureHint)}
${text('profile')}
${text('website')}`
  }
}
