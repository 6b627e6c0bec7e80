/** `/account/profile`: facts about the owner, the language and time zone of pages, and the owner's data. */

import type { Answer } from '../../../http/answer.ts'
import { isSecure, setCookie } from '../../../http/cookies.ts'
import type { Language } from '../../../model/language.ts'
import type { Owner } from '../../../model/owner.ts'
import { normalizeLine } from '../../../model/plain-line.ts'
import { ownerLimits } from '../../../owners/limits.ts'
import {
  fillAddress,
  listChangedMembers,
  type ProfileField,
  parseProfile,
  textFields,
} from '../../../owners/profile.ts'
import { hide, renderField, renderForm, renderSubmit, sayName } from '../../../paper/fields.ts'
import { drawIcon } from '../../../paper/icon.ts'
import { type Content, html, type Markup } from '../../../paper/markup.ts'
import { renderGo, renderRow, renderRows, renderSection } from '../../../paper/rows.ts'
import { getPicturePath, renderTile } from '../../../paper/tile.ts'
import { pageUrl } from '../../../paper/view.ts'
import type { Parameters } from '../../../protocol/parameters.ts'
import { traceOf } from '../../../store/trace.ts'
import { answerDone, findNotice, identify, type OwnerVisit } from '../../owner-visit.ts'
import type { TakeForm } from '../../pages.ts'
import { showPage } from '../../visit.ts'
import { openWaitingAddress, type WaitingAddress } from '../email/waiting.ts'
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
  /** The address of a link under way. */
  readonly waiting: WaitingAddress | null
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
const rows = {
  names: ['name', 'given_name', 'family_name', 'nickname'],
  phone: ['phone_number'],
  address: ['street_address', 'postal_code', 'locality', 'region', 'country'],
  pages: ['language', 'zone'],
  person: ['birthdate', 'gender'],
  web: ['picture', 'profile', 'website'],
} as const satisfies Readonly<Record<string, readonly ProfileField[]>>

type RowName = keyof typeof rows

const sayPages = ({ view, values, languages }: ProfilePage): Content => {
  const { asBrowser } = profileWords(view.language)
  const language = languages.find(({ tag }) => tag === values.language)
  const { zone } = values
  if (language === undefined && zone === '') return asBrowser
  const name =
    language === undefined ? asBrowser : html`<bdi lang="${language.lang}">${language.name}</bdi>`
  return html`${name} · ${zone === '' ? asBrowser : html`<bdi>${zone}</bdi>`}`
}

/** The values of a row in one line. Of the names, the others say nothing more. */
const sayValues = (page: ProfilePage, row: RowName): Content => {
  const { view, values } = page
  if (row === 'pages') return sayPages(page)
  const told = (row === 'names' ? ['name' as const] : rows[row])
    .map((field) => normalizeLine(values[field]))
    .filter((value) => value !== '')
  if (told.length === 0) return profileWords(view.language).empty
  return html`${told.map((value, index) => html`${index === 0 ? null : ' · '}<bdi>${value}</bdi>`)}`
}

const renderFields = (page: ProfilePage, row: RowName): Content => {
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

/** A value, and behind its button the fields: open where the problem is. */
const renderValue = (page: ProfilePage, row: RowName): Markup => {
  const words = profileWords(page.view.language)
  const title = words.rows[row]
  const { problem } = page
  const isHere =
    problem !== null && problem !== 'stale' && rows[row].some((one) => one === problem.field)
  const end = html`<details class="confirm edits"${isHere ? html` open` : null}><summary>${words.edit}<span class="unseen">${words.editOf({ what: title })}</span></summary>
<div>${renderFields(page, row)}
${renderSubmit(words.save)}</div></details>`
  return renderRow({ title, says: sayValues(page, row), end })
}

/** A typed address is repeated until its link was opened. */
const renderWaiting = (page: ProfilePage): Markup | null => {
  const { view, email, waiting } = page
  if (waiting === null) return null
  const words = profileWords(view.language)
  const { address, sent } = waiting
  const again = html`<button class="plain" type="submit" name="action" value="${address === email ? 'verify' : 'change'}">${words.again}</button>`
  const cancel = html`<button class="plain" type="submit" name="action" value="cancel">${words.cancel}</button>`
  const fields = html`${hide('email', address)}${hide('sent', sent)}`
  return renderRow({
    mark: html`<span class="tile round amber" aria-hidden="true">${drawIcon('mail')}</span>`,
    title: sayName(address),
    says: words.waits,
    end: renderForm(page, '/account/email', html`${fields}${again}${cancel}`),
  })
}

const renderContact = (page: ProfilePage): Markup => {
  const { view, owner, email, isVerified } = page
  const words = profileWords(view.language)
  const { email: title, username } = words.rows
  const tag = isVerified
    ? html`<span class="tag good">${words.confirmed}</span>`
    : html`<span class="tag warn">${words.notConfirmed}</span>`
  const to = html`${words.toEmail}<span class="unseen">${words.editOf({ what: title })}</span>`
  return renderRows([
    renderRow({
      title: email === '' ? title : html`${title} ${tag}`,
      says: email === '' ? words.noEmail : sayName(email),
      end: renderGo(view, '/account/email', to),
    }),
    ...[renderWaiting(page)].filter((row) => row !== null),
    renderRow({ title: username, says: sayName(owner.username) }),
  ])
}

const renderData = ({ view }: ProfilePage): Markup => {
  const words = profileWords(view.language)
  const entries = [
    renderRow({
      mark: drawIcon('download'),
      title: words.download,
      says: words.downloadHint,
      end: renderGo(view, '/account/download', words.toDownload),
    }),
    renderRow({
      mark: drawIcon('trash'),
      title: words.delete,
      says: words.deleteHint,
      end: renderGo(view, '/account/delete', words.toDelete),
    }),
  ]
  return renderSection('data', words.data, html`${entries}`)
}

export const renderProfile = (page: ProfilePage): string => {
  const { view, owner, problem } = page
  const words = profileWords(view.language)
  const name = owner.name === '' ? owner.username : owner.name
  const picture = getPicturePath(view, owner.pictureName)
  const names = Object.keys(rows) as readonly RowName[]
  const values = renderRows(names.map((row) => renderValue(page, row)))
  const said =
    problem === null || problem === 'stale'
      ? problem && words.stale
      : words.bad({ field: words.fields[problem.field] })
  return renderAccountPage(page, {
    part: 'profile',
    heading: null,
    head: html`<div class="asks">${renderTile(name, picture, { size: 'portrait', isPerson: true })}<div><h1>${sayName(name)}</h1>
<p><a href="${pageUrl(view, '/account/picture')}">${picture === null ? words.firstPicture : words.toPicture}</a></p></div></div>`,
    notice: page.notice,
    problem: said,
    main: html`${renderContact(page)}
${renderForm(page, '/account/profile', values, 'goes-on')}
<p class="quiet note">${words.about}</p>
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
  const findWaiting = openWaitingAddress(needs)

  const show = async (
    visit: OwnerVisit,
    values: ProfileValues,
    problem: ProfilePage['problem'] = null,
  ): Promise<Answer> => {
    const { owner } = visit.login
    const html = renderProfile({
      ...pickGiven(visit),
      email: owner.email,
      isVerified: owner.emailVerified,
      waiting: await findWaiting(visit),
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

  const showOwn = (visit: OwnerVisit): Promise<Answer> => show(visit, getValues(visit.login.owner))
  return ownerForm('/account/profile', showOwn, change)
}
