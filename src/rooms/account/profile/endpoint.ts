/** `/account/profile`: the owner's own facts, and the language and time zone of pages. */
import type { Answer } from '../../../http/answer.ts'
import { setCookie } from '../../../http/cookies.ts'
import type { Owner } from '../../../model/owner.ts'
import { ownerLimits } from '../../../owners/limits.ts'
import {
  addressFields,
  changedMembers,
  type ProfileField,
  parseProfile,
  shownAddress,
  textFields,
} from '../../../owners/profile.ts'
import { isSecure } from '../../../owners/secure.ts'
import type { Parameters } from '../../../protocol/parameters.ts'
import type { ServiceParts } from '../../../registries.ts'
import { traceOf } from '../../../store/trace.ts'
import { readOwnForm } from '../../form.ts'
import { forOwner } from '../../former.ts'
import { answerDone, noticeOf, type OwnerVisit } from '../../owner-visit.ts'
import { showPage } from '../../visit.ts'
import { byOwner } from '../confirmed.ts'
import { type ProfilePage, renderProfile } from './page.ts'
import { profileWords } from './words.ts'

type ProfileValues = ProfilePage['values']

const fields: readonly ProfileField[] = [
  'name',
  ...textFields,
  ...addressFields,
  'language',
  'zone',
]

const valuesOf = ({ name, claims, pages }: Owner): ProfileValues => {
  const texts = Object.fromEntries(textFields.map((field) => [field, claims[field] ?? '']))
  return {
    ...texts,
    ...shownAddress(claims.address ?? {}),
    name,
    language: pages.language ?? '',
    zone: pages.zone ?? '',
  } as ProfileValues
}

/** What was typed stays on the page. */
const typedIn = (form: Parameters): ProfileValues =>
  Object.fromEntries(fields.map((field) => [field, form.find(field) ?? ''])) as ProfileValues

const show = (
  visit: OwnerVisit,
  values: ProfileValues,
  problem: ProfilePage['problem'],
  { languages }: Pick<ServiceParts, 'languages'>,
): Answer => {
  const { view, csrf } = visit
  const { owner } = visit.login
  const html = renderProfile({
    view,
    csrf,
    owner,
    email: owner.email,
    isVerified: owner.emailVerified,
    values,
    languages,
    zones: Intl.supportedValuesOf('timeZone'),
    notice: problem === null ? noticeOf(visit, profileWords(view.language).done) : null,
    problem,
  })
  if (problem === null) return showPage(visit, html)
  return problem === 'stale'
    ? showPage(visit, html, { status: 409, reason: 'profile_changed_meanwhile' })
    : showPage(visit, html, { status: 400, reason: 'bad_profile' })
}

/** `GET /account/profile` */
export const showProfile = forOwner((visit, parts) =>
  show(visit, valuesOf(visit.login.owner), null, parts),
)

/** `POST /account/profile`: an empty field removes its claim. */
export const changeProfile = forOwner(async (visit, parts) => {
  const form = await readOwnForm(visit, parts)
  const { owner } = visit.login
  const after = parseProfile(form, owner, parts.languages)
  if (typeof after === 'string') return show(visit, typedIn(form), { field: after }, parts)
  const changed = changedMembers(owner, after)
  const trace = traceOf(visit, parts)
  const isSaved =
    changed.length === 0 ||
    (await parts.store.changeProfile(byOwner(visit), owner, after, changed.join(' '), trace))
  if (!isSaved) return show(visit, typedIn(form), 'stale', parts)
  const { language } = after.pages
  const cookie = setCookie(
    'language',
    language ?? '',
    isSecure(parts),
    language === null ? null : ownerLimits.languageSeconds,
  )
  return answerDone(visit, '/account/profile', 'saved', null, [cookie])
})
