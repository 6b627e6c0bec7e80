/** `/account/password`: the owner chooses another password, having shown the current one. */
import type { Answer } from '../../../http/answer.ts'
import type { Exchange } from '../../../http/exchange.ts'
import type { Owner } from '../../../model/owner.ts'
import { rememberBrowser } from '../../../owners/known-browser.ts'
import { checkPassword, type PasswordParts } from '../../../owners/password-login.ts'
import { passwordFault } from '../../../owners/password-rule.ts'
import { changedPassword } from '../../../owners/registration.ts'
import { findVisitor } from '../../../owners/session.ts'
import { waysOfFormerPassword } from '../../../owners/ways-in.ts'
import { passwordWords } from '../../../paper/words/password.ts'
import type { Parameters } from '../../../protocol/parameters.ts'
import type { ServiceParts } from '../../../registries.ts'
import { traceOf } from '../../../store/trace.ts'
import { readOwnForm } from '../../form.ts'
import { forOwner } from '../../former.ts'
import {
  answerDone,
  answerLoginFirst,
  guesserIn,
  noticeOf,
  type OwnerVisit,
} from '../../owner-visit.ts'
import { orWait } from '../../throttled.ts'
import { answerSeeOther, showPage } from '../../visit.ts'
import { type PasswordProblem, renderPassword } from './page.ts'

const refused: Readonly<
  Record<PasswordProblem, { readonly reason: string; readonly status: number }>
> = {
  wrong: { reason: 'wrong_password', status: 403 },
  length: { reason: 'bad_new_password', status: 400 },
  common: { reason: 'common_new_password', status: 400 },
  names: { reason: 'new_password_of_names', status: 400 },
  differ: { reason: 'new_passwords_differ', status: 400 },
  same: { reason: 'same_password', status: 400 },
  throttled: { reason: 'login_throttled', status: 429 },
}

const show = (
  visit: OwnerVisit,
  problem: PasswordProblem | null,
  waitSeconds: number | null,
  { settings }: Pick<ServiceParts, 'settings'>,
): Answer => {
  const { view, csrf } = visit
  const html = renderPassword({
    view,
    csrf,
    owner: visit.login.owner,
    leastCharacters: settings.passwordCharacters,
    problem,
    waitSeconds,
    notice: problem === null ? noticeOf(visit, passwordWords(view.language).done) : null,
  })
  return showPage(visit, html, { ...(problem && refused[problem]), hasScript: true, waitSeconds })
}

/** `GET /account/password`: without a current password there is nothing to change. The Security page says so. */
export const showPasswordPage = forOwner((visit, parts) =>
  visit.login.owner.passwordHash === ''
    ? answerSeeOther(visit, '/account/security')
    : show(visit, null, null, parts),
)

interface Chosen {
  readonly old: string
  readonly next: string
}

/** The passwords in the form; a problem if the new one cannot be chosen at all. */
const parseChosen = async (
  form: Parameters,
  owner: Owner,
  { settings }: Pick<ServiceParts, 'settings'>,
): Promise<Chosen | PasswordProblem> => {
  const old = form.find('password') ?? ''
  const next = form.find('new_password') ?? ''
  if (next !== (form.find('new_password_again') ?? '')) return 'differ'
  if (next !== '' && next === old) return 'same'
  return (await passwordFault(next, owner, settings)) ?? { old, next }
}

/**
 * Something else changed the password meanwhile. If the same form was sent twice, the chosen password
 * is in force. If another browser did it, this login has ended.
 *
 * @returns null if the login has ended
 */
const isPasswordNow = async (
  chosen: string,
  exchange: Exchange,
  parts: Pick<ServiceParts, 'settings' | 'store' | 'passwords'>,
): Promise<boolean | null> => {
  const { login } = await findVisitor(exchange, parts)
  return login && parts.passwords.verify(login.owner.passwordHash, chosen)
}

/** The owner at the time of the check; null if the password was wrong. */
const check = (
  visit: OwnerVisit,
  password: string,
  parts: PasswordParts,
): Promise<Owner | null> => {
  const { username } = visit.login.owner
  const login = { username, password, address: visit.address, guesser: guesserIn(visit) }
  return checkPassword(login, traceOf(visit, parts), parts)
}

/** The hash of it takes a place in the queue that strangers cannot take. */
const newPassword = (
  password: string,
  owner: Owner,
  parts: Pick<ServiceParts, 'settings' | 'random' | 'passwords'>,
) =>
  parts.passwords.inQueue(owner.id, (passwords) =>
    changedPassword({ password }, owner, { ...parts, passwords }),
  )

/**
 * `POST /account/password`: guessing is slowed as at a login. The new password ends what made
 * browsers known to the owner, so this one is made known again.
 */
export const choosePassword = forOwner(async (visit, parts) => {
  const { session } = visit.login
  const form = await readOwnForm(visit, parts)
  const again = (problem: PasswordProblem, waitSeconds: number | null = null): Answer =>
    show(visit, problem, waitSeconds, parts)
  const chosen = await parseChosen(form, visit.login.owner, parts)
  if (typeof chosen === 'string') return again(chosen)
  const attempt = async (): Promise<Answer> => {
    const owner = await check(visit, chosen.old, parts)
    if (owner === null) return again('wrong')
    const password = await newPassword(chosen.next, owner, parts)
    const by = { session: session.id, passwordHash: owner.passwordHash }
    const trace = traceOf(visit, parts)
    const changed = await parts.store.changePassword(owner.id, password, by, trace)
    const isSo = changed !== null || (await isPasswordNow(chosen.next, visit, parts))
    if (isSo === null) return answerLoginFirst(visit, parts)
    if (!isSo) return again('wrong')
    const { request, at } = visit
    const known =
      changed === null ? [] : [rememberBrowser(changed, session.methods, request, at, parts)]
    return (await waysOfFormerPassword(owner.id, parts)).isNone
      ? answerDone(visit, '/account/password', 'changed', null, known)
      : answerDone(visit, '/account/security', 'password', null, known)
  }
  return orWait(attempt, (seconds) => again('throttled', seconds))
})
