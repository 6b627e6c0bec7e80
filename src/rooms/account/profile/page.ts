/** `/account/profile`: facts about the owner, the language and time zone of pages, and the owner's data. */

import type { Answer } from '../../../http/answer.ts'
import { isSecure, setCookie } from '../../../http/cookies.ts'
import type { Owner } from '../../../model/owner.ts'
import { normalizeLine } from '../../../model/plain/line.ts'
import { ownerLimits } from '../../../owners/limits.ts'
import {
  fillAddress,
  listChangedMembers,
  parseProfile,
  textFields,
} from '../../../owners/profile.ts'
import { hide, renderForm, renderSubmit, sayName } from '../../../paper/fields.ts'
import { icons } from '../../../paper/icon.ts'
import { type Content, html, type Markup } from '../../../paper/markup.ts'
import { renderGo, renderRow, renderRows, renderSection } from '../../../paper/rows.ts'
import { getPicturePath, renderTile } from '../../../paper/tile.ts'
import { pageUrl } from '../../../paper/view.ts'
import type { Parameters } from '../../../protocol/parameters.ts'
import { traceOf } from '../../../store/trace.ts'
import { answerDone, findNotice, identify, type OwnerVisit } from '../../owner-visit.ts'
import type { TakeForm } from '../../pages.ts'
import { showPage } from '../../visit.ts'
import { openWaitingAddress } from '../email/waiting.ts'
import { pickGiven, renderAccountPage } from '../frame.ts'
import { accountLimits } from '../limits.ts'
import type { OpenPage } from '../needs.ts'
import { type ProfilePage, type ProfileValues, type RowName, renderFields, rows } from './fields.ts'
import { profileWords } from './words.ts'

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
    mark: html`<span class="tile round amber" aria-hidden="true">${icons.mail}</span>`,
    title: sayName(address),
    says: words.waits,
    end: renderForm(page, '/account/email', html`${fields}${again}${cancel}`),
  })
}

/** An owner of many groups sees the first. */
const sayGroups = ({ view, groups }: ProfilePage): Content => {
  const shown = groups.slice(0, accountLimits.groupsShown)
  const names = shown.map((name, index) => html`${index === 0 ? null : ' · '}${sayName(name)}`)
  const more = groups.length - shown.length
  if (more === 0) return html`${names}`
  return html`${names} ${profileWords(view.language).moreGroups({ count: more })}`
}

const renderContact = (page: ProfilePage): Markup => {
  const { view, owner, email, isVerified, groups } = page
  const words = profileWords(view.language)
  const { email: title, username, groups: ofGroups } = words.rows
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
    ...(groups.length === 0 ? [] : [renderRow({ title: ofGroups, says: sayGroups(page) })]),
  ])
}

const renderData = ({ view }: ProfilePage): Markup => {
  const words = profileWords(view.language)
  const entries = [
    renderRow({
      mark: icons.download,
      title: words.download,
      says: words.downloadHint,
      end: renderGo(view, '/account/download', words.toDownload),
    }),
    renderRow({
      mark: icons.trash,
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
      groups: (await store.listGroupsOf(owner.id)).map(({ name: group }) => group),
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
