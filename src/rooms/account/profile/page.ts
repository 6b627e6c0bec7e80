/** `/account/profile`: facts about the owner, the language and time zone of pages, and the owner's data. */

import type { Answer } from '../../../http/answer.ts'
import { isSecure, setCookie } from '../../../http/cookies.ts'
import type { Language } from '../../../model/language.ts'
import type { Owner } from '../../../model/owner.ts'
import { ownerLimits } from '../../../owners/limits.ts'
import {
  fillAddress,
  listChangedMembers,
  type ProfileField,
  parseProfile,
  textFields,
} from '../../../owners/profile.ts'
import { renderField, renderForm, renderSubmit, sayName } from '../../../paper/fields.ts'
import { type Content, html, type Markup } from '../../../paper/markup.ts'
import { getPicturePath } from '../../../paper/menu.ts'
import { renderEntry, renderGo, renderSection } from '../../../paper/rows.ts'
import { renderTile } from '../../../paper/tile.ts'
import { pageUrl } from '../../../paper/view.ts'
import type { Parameters } from '../../../protocol/parameters.ts'
import { traceOf } from '../../../store/trace.ts'
import { answerDone, findNotice, identify, type OwnerVisit } from '../../owner-visit.ts'
import type { TakeForm } from '../../pages.ts'
import { showPage } from '../../visit.ts'
import { type AccountPageGiven, pickGiven, renderAccountPage, renderOption } from '../frame.ts'
import type { OpenPage } from '../needs.ts'
import { profileWords } from './words.ts'

type ProfileValues = Readonly<Record<ProfileField, string>>

export interface ProfilePage extends AccountPageGiven {
  readonly values: ProfileValues
  readonly zones: readonly string[]
  readonly languages: readonly Language[]
  readonly email: string
  readonly isVerified: boolean
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

const firstFields: readonly ProfileField[] = ['name', 'language', 'zone']

/** What few people fill in. The group is open where the problem is. */
const renderMore = (page: ProfilePage): Markup => {
  const words = profileWords(page.view.language)
  const { problem } = page
  const isHere = problem !== null && problem !== 'stale' && !firstFields.includes(problem.field)
  return html`<details${isHere ? html` open` : null}><summary>${words.more}</summary>
<div class="pair">${renderText(page, 'given_name')}${renderText(page, 'family_name')}</div>
<div class="pair">${renderText(page, 'nickname')}${renderText(page, 'gender')}</div>
<div class="pair">${renderText(page, 'birthdate')}${renderText(page, 'phone_number')}</div>
${renderText(page, 'picture', words.pictureHint)}
${renderText(page, 'profile')}
${renderText(page, 'website')}
${renderStreet(page)}
<div class="pair">${renderText(page, 'postal_code')}${renderText(page, 'locality')}</div>
<div class="pair">${renderText(page, 'region')}${renderText(page, 'country')}</div>
</details>`
}

const renderContact = ({ view, email, isVerified }: ProfilePage): Markup => {
  const words = profileWords(view.language)
  const tag = isVerified
    ? html` <span class="tag good">${words.confirmed}</span>`
    : html` <span class="tag warn">${words.notConfirmed}</span>`
  const entry = renderEntry({
    title: email === '' ? words.noEmail : html`<strong>${sayName(email)}</strong>${tag}`,
    state: [words.emailUse],
    actions: [renderGo(view, '/account/email', words.toEmail)],
  })
  return renderSection('contact', words.contact, entry)
}

const renderData = ({ view }: ProfilePage): Markup => {
  const words = profileWords(view.language)
  const entry = (of: 'download' | 'delete', go: Markup): Markup =>
    renderEntry({
      title: html`<strong>${words[of]}</strong>`,
      state: [words[`${of}Hint`]],
      actions: [go],
    })
  const entries = [
    entry('download', renderGo(view, '/account/download', words.toDownload)),
    entry(
      'delete',
      html`<a class="button danger" href="${pageUrl(view, '/account/delete')}">${words.toDelete}</a>`,
    ),
  ]
  return renderSection('data', words.data, html`${entries}`)
}

export const renderProfile = (page: ProfilePage): string => {
  const { view, owner, problem } = page
  const words = profileWords(view.language)
  const name = owner.name === '' ? owner.username : owner.name
  const picture = getPicturePath(view, owner.pictureName)
  const fields = html`<p class="quiet">${words.about}</p>
${renderText(page, 'name')}
<div class="pair">${renderLanguageChoice(page)}${renderZoneChoice(page)}</div>
${renderMore(page)}
${renderSubmit(words.save)}`
  const said =
    problem === null || problem === 'stale'
      ? problem && words.stale
      : words.bad({ field: words.fields[problem.field] })
  return renderAccountPage(page, {
    part: 'profile',
    heading: null,
    head: html`<div class="asks">${renderTile(name, picture, { size: 'big', isPerson: true })}<div><h1>${sayName(name)}</h1>
<p><a href="${pageUrl(view, '/account/picture')}">${picture === null ? words.firstPicture : words.toPicture}</a></p></div></div>`,
    notice: page.notice,
    problem: said,
    main: html`${renderForm(page, '/account/profile', fields, 'card')}
${renderContact(page)}
${renderData(page)}`,
  })
}

const fields = Object.keys(profileWords.english.fields)

const getValues = ({ name, claims, pages }: Owner): ProfileValues => {
  const texts = Object.fromEntries(textFields.map((field) => [field, claims[field] ?? '']))
  return {
    ...texts,
    ...fillAddress(claims.address ?? {}),
    name,
    language: pages.language ?? '',
    zone: pages.zone ?? '',
  } as ProfileValues
}

/** What was typed stays on the page. */
const readTyped = (form: Parameters): ProfileValues =>
  Object.fromEntries(fields.map((field) => [field, form.find(field) ?? ''])) as ProfileValues

export const openProfile: OpenPage = (needs, { ownerForm }) => {
  const { languages, store } = needs
  const secure = isSecure(needs)

  const show = (
    visit: OwnerVisit,
    values: ProfileValues,
    problem: ProfilePage['problem'] = null,
  ): Answer => {
    const { owner } = visit.login
    const html = renderProfile({
      ...pickGiven(visit),
      email: owner.email,
      isVerified: owner.emailVerified,
      values,
      languages,
      zones: Intl.supportedValuesOf('timeZone'),
      notice: problem === null ? findNotice(visit, profileWords(visit.view.language).done) : null,
      problem,
    })
    if (problem === null) return showPage(visit, html)
    return problem === 'stale'
      ? showPage(visit, html, { status: 409, reason: 'profile_changed_meanwhile' })
      : showPage(visit, html, { status: 400, reason: 'bad_profile' })
  }

  /** An empty field removes its claim. */
  const change: TakeForm = async (visit, form) => {
    const { owner } = visit.login
    const after = parseProfile(form, owner, languages)
    if (typeof after === 'string') return show(visit, readTyped(form), { field: after })
    const changed = listChangedMembers(owner, after)
    const trace = traceOf(visit, needs)
    const isSaved =
      changed.length === 0 ||
      (await store.changeProfile(identify(visit), owner, after, changed.join(' '), trace))
    if (!isSaved) return show(visit, readTyped(form), 'stale')
    const { language } = after.pages
    const seconds = language === null ? null : ownerLimits.languageSeconds
    const cookie = setCookie('language', language ?? '', secure, seconds)
    return answerDone(visit, '/account/profile', 'saved', [cookie])
  }

  const showOwn = (visit: OwnerVisit): Answer => show(visit, getValues(visit.login.owner))
  return ownerForm('/account/profile', showOwn, change)
}
