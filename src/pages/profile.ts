/** The profile page: facts about the owner, the language and time zone of pages, and the owner's data. */
import { languages } from '../model/language.ts'
import type { ProfileField } from '../owners/profile.ts'
import { type AccountPageGiven, renderAccountPage } from './account-frame.ts'
import { hidden } from './fields.ts'
import { html, type Markup } from './markup.ts'
import { pageUrl } from './view.ts'
import { profileWords } from './words/profile.ts'

export interface ProfilePage extends AccountPageGiven {
  /** What the fields show. */
  readonly values: Readonly<Record<ProfileField, string>>
  /** The time zones to choose from. */
  readonly zones: readonly string[]
  readonly notice: string | null
  readonly problem: 'stale' | { readonly field: ProfileField } | null
}

/** How browsers fill the fields in (HTML, autofill). */
const autocomplete: Readonly<Partial<Record<ProfileField, string>>> = {
  name: 'name',
  given_name: 'given-name',
  family_name: 'family-name',
  nickname: 'nickname',
  website: 'url',
  gender: 'sex',
  birthdate: 'bday',
  phone_number: 'tel',
  postal_code: 'postal-code',
  locality: 'address-level2',
  region: 'address-level1',
  country: 'country-name',
}

const isAtFault = ({ problem }: ProfilePage, field: ProfileField): boolean =>
  problem !== null && problem !== 'stale' && problem.field === field

const faultOf = (page: ProfilePage, field: ProfileField): Markup | null =>
  isAtFault(page, field) ? html` aria-invalid="true" aria-describedby="problem" autofocus` : null

const text = (page: ProfilePage, field: ProfileField, hint: Markup | null = null): Markup => {
  const { fields } = profileWords[page.view.language]
  const described =
    hint === null || isAtFault(page, field) ? null : html` aria-describedby="${field}-hint"`
  return html`<label class="field"><span>${fields[field]}</span>
<input type="text" name="${field}" value="${page.values[field]}" autocomplete="${autocomplete[field] ?? 'off'}"${described}${faultOf(page, field)}></label>
${hint === null ? null : html`<p class="quiet" id="${field}-hint">${hint}</p>`}`
}

/** The street of an address may have lines. */
const street = (page: ProfilePage): Markup =>
  html`<label class="field"><span>${profileWords[page.view.language].fields.street_address}</span>
<textarea name="street_address" rows="2" autocomplete="street-address"${faultOf(page, 'street_address')}>${page.values.street_address}</textarea></label>
`

const option = (value: string, text: string, chosen: string): Markup =>
  html`<option value="${value}"${value === chosen ? html` selected` : null}>${text}</option>`

const languageChoice = (page: ProfilePage): Markup => {
  const words = profileWords[page.view.language]
  const { language } = page.values
  const known = Object.entries(languages).map(
    ([name, { tag }]) =>
      html`<option value="${name}" lang="${tag}"${name === language ? html` selected` : null}>${nameOfLanguage(tag)}</option>`,
  )
  return html`<label class="field"><span>${words.fields.language}</span>
<select name="language">${option('', words.asBrowser, language)}${known}</select></label>
`
}

/** The name of a language in itself. */
const nameOfLanguage = (tag: string): string =>
  new Intl.DisplayNames([tag], { type: 'language' }).of(tag) ?? tag

const zoneChoice = (page: ProfilePage): Markup => {
  const { zone } = page.values
  const isListed = zone === '' || page.zones.includes(zone)
  return html`<label class="field"><span>${profileWords[page.view.language].fields.zone}</span>
<select name="zone">${option('', 'UTC', zone)}${isListed ? null : option(zone, zone, zone)}${page.zones.map((one) => html`<option${one === zone ? html` selected` : null}>${one}</option>`)}</select></label>
`
}

const data = ({ view }: ProfilePage): Markup => {
  const words = profileWords[view.language]
  return html`<section class="card"><h2>${words.data}</h2>
<p><a href="${pageUrl(view, '/account/delete')}">${words.delete}</a><br><span class="quiet">${words.deleteHint}</span></p>
</section>`
}

export const renderProfile = (page: ProfilePage): string => {
  const { view, csrf, problem } = page
  const words = profileWords[view.language]
  const said =
    problem === null || problem === 'stale'
      ? problem && words.stale
      : words.bad({ field: words.fields[problem.field] })
  return renderAccountPage(page, {
    part: 'profile',
    heading: words.heading,
    notice: page.notice,
    problem: said,
    main: html`<p>${words.about}</p>
<form method="post" action="${pageUrl(view, '/account/profile')}">
${hidden('csrf', csrf)}
<section class="card"><h2>${words.you}</h2>
${text(page, 'name')}
${text(page, 'given_name')}
${text(page, 'family_name')}
${text(page, 'nickname')}
${text(page, 'picture', html`${words.pictureHint}`)}
${text(page, 'profile')}
${text(page, 'website')}
${text(page, 'gender')}
${text(page, 'birthdate')}
${text(page, 'phone_number')}
</section>
<section class="card"><h2>${words.address}</h2>
${street(page)}
${text(page, 'postal_code')}
${text(page, 'locality')}
${text(page, 'region')}
${text(page, 'country')}
</section>
<section class="card"><h2>${words.pages}</h2>
${languageChoice(page)}
${zoneChoice(page)}
</section>
<p class="actions"><button class="primary" type="submit">${words.save}</button></p>
</form>
${data(page)}`,
  })
}
