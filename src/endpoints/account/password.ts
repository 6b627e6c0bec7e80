/** `/account/password`: the owner chooses another password, having shown the current one. */
import type { Answer } from '../../http/answer.ts'
import type { Exchange } from '../../http/exchange.ts'
import { passkeysOfFormerPassword } from '../../model/factor.ts'
import type { Owner } from '../../model/owner.ts'
import { rememberBrowser } from '../../owners/known-browser.ts'
import { checkPassword } from '../../owners/password-login.ts'
import { passwordFault } from '../../owners/password-rule.ts'
import { changedPassword } from '../../owners/registration.ts'
import { csrfToken, findVisitor, loggedOut } from '../../owners/session.ts'
import { type PasswordProblem, renderPassword } from '../../pages/password.ts'
import { passwordWords } from '../../pages/words/password.ts'
import { type Parts, traceOf } from '../../parts.ts'
import type { Parameters } from '../../protocol/parameters.ts'
import { readOwnForm } from '../door/forms.ts'
import { refusedBy } from '../door/refused.ts'
import {
  answerDone,
  answerLoginFirst,
  forOwner,
  guesserIn,
  noticeOf,
  type SignedIn,
} from '../door/signed-in.ts'
import { orWait } from '../door/throttled.ts'
import { showPage, viewOf } from '../door/view.ts'

const statuses: Readonly<Record<PasswordProblem, number>> = {
  wrong: 403,
  length: 400,
  common: 400,
  names: 400,
  differ: 400,
  same: 400,
  throttled: 429,
}

const reasons: Readonly<Record<PasswordProblem, string>> = {
  wrong: 'wrong_password',
  length: 'bad_new_password',
  common: 'common_new_password',
  names: 'new_password_of_names',
  differ: 'new_passwords_differ',
  same: 'same_password',
  throttled: 'login_throttled',
}

const show = (
  problem: PasswordProblem | null,
  waitSeconds: number | null,
  visitor: SignedIn,
  exchange: Exchange,
  parts: Parts,
): Answer => {
  const view = viewOf(exchange, parts)
  const notice =
    problem === null ? noticeOf(exchange, visitor, passwordWords[view.language].done) : null
  const { owner } = visitor.login
  const csrf = csrfToken(visitor)
  const leastCharacters = parts.settings.passwordCharacters
  const html = renderPassword({ view, csrf, owner, leastCharacters, problem, waitSeconds, notice })
  const wait = waitSeconds === null ? {} : { 'Retry-After': String(waitSeconds) }
  const page = showPage(view, html, problem === null ? 200 : statuses[problem], [], wait)
  return refusedBy(problem && reasons[problem], page)
}

/** `GET /account/password` */
export const showPasswordPage = forOwner(async (visitor, exchange, parts) =>
  show(null, null, visitor, exchange, parts),
)

interface Chosen {
  readonly old: string
  readonly next: string
}

/** What was filled in; a problem where that cannot be, whatever the current password is. */
const parseChosen = async (
  form: Parameters,
  owner: Owner,
  { settings }: Parts,
): Promise<Chosen | PasswordProblem> => {
  const old = form.find('password') ?? ''
  const next = form.find('new_password') ?? ''
  if (next !== (form.find('new_password_again') ?? '')) return 'differ'
  if (next !== '' && next === old) return 'same'
  return (await passwordFault(next, owner, settings)) ?? { old, next }
}

/**
 * Something else changed the password while this form was under way. Where that was the same form, sent
 * twice, what was chosen is so; where it was another browser, it ended this login.
 *
 * @returns null where there is no login any more
 */
const isPasswordNow = async (
  chosen: string,
  exchange: Exchange,
  parts: Parts,
): Promise<boolean | null> => {
  const { login } = await findVisitor(exchange, parts)
  return login && parts.passwords.verify(login.owner.passwordHash, chosen)
}

/** The owner as the password was checked; null where it was wrong. */
const check = (
  password: string,
  visitor: SignedIn,
  exchange: Exchange,
  parts: Parts,
): Promise<Owner | null> => {
  const { username } = visitor.login.owner
  const login = { username, password, address: exchange.address, guesser: guesserIn(visitor) }
  return checkPassword(login, traceOf(exchange, parts), parts)
}

/** The hash of it takes a place in the queue that strangers cannot take. */
const newPassword = (password: string, owner: Owner, parts: Parts) =>
  parts.passwords.inQueue(owner.id, (passwords) =>
    changedPassword({ password }, owner, { ...parts, passwords }),
  )

/**
 * `POST /account/password`: guessing is slowed as at a login. The new password ends what made
 * browsers known to the owner, so this one is made known again.
 */
export const choosePassword = forOwner(async (visitor, exchange, parts) => {
  const form = await readOwnForm(exchange.request, visitor, parts)
  const again = (problem: PasswordProblem, waitSeconds: number | null = null): Answer =>
    show(problem, waitSeconds, visitor, exchange, parts)
  const chosen = await parseChosen(form, visitor.login.owner, parts)
  if (typeof chosen === 'string') return again(chosen)
  const attempt = async (): Promise<Answer> => {
    const owner = await check(chosen.old, visitor, exchange, parts)
    if (owner === null) return again('wrong')
    const password = await newPassword(chosen.next, owner, parts)
    const by = { session: visitor.login.session.id, passwordHash: owner.passwordHash }
    const trace = traceOf(exchange, parts)
    const changed = await parts.store.changePassword(owner.id, password, by, trace)
    const isSo = changed !== null || (await isPasswordNow(chosen.next, exchange, parts))
    if (isSo === null) return answerLoginFirst(loggedOut(visitor), exchange, parts)
    if (!isSo) return again('wrong')
    const known =
      changed === null
        ? []
        : [
            rememberBrowser(
              changed,
              visitor.login.session.methods,
              exchange.request,
              exchange.at,
              parts,
            ),
          ]
    const factors = await parts.store.findFactors(owner.id)
    // Whoever knew the former password may have added a passkey, which the new one does not end.
    return passkeysOfFormerPassword(factors).length > 0
      ? answerDone('/account/security', 'password', visitor, exchange, parts, null, known)
      : answerDone('/account/password', 'changed', visitor, exchange, parts, null, known)
  }
  return orWait(attempt, (seconds) => again('throttled', seconds))
})
