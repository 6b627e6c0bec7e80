/** `/account/lost`: the owner of a lost device, or of a login by somebody else, locks others out step by step. */
import type { Answer } from '../../../http/answer.ts'
import { queryOf } from '../../../http/request.ts'
import { hasFactor } from '../../../model/factor.ts'
import type { AuthorizationId, PasskeyId, SessionHandle } from '../../../model/ids.ts'
import { tellProblem } from '../../../paper/login.ts'
import type { Parameters } from '../../../protocol/parameters.ts'
import { invalidRequest } from '../../../protocol/refusal.ts'
import { page } from '../../../route.ts'
import { traceOf } from '../../../store/trace.ts'
import {
  answerDoneAt,
  answerLoginFirst,
  identify,
  type OwnerVisit,
  readDone,
} from '../../owner-visit.ts'
import { tryOrWait } from '../../throttled.ts'
import { listWays } from '../../upstream-trip.ts'
import { answerSeeOther, showPage } from '../../visit.ts'
import { groupApplications, listAll } from '../accesses.ts'
import { answerUnconfirmed, isConfirmed } from '../confirmed.ts'
import type { AccountNeeds, OpenPage } from '../needs.ts'
import {
  changePassword,
  findChosenProblem,
  type PasswordProblem,
  passwordRefused,
  sayPasswordProblem,
} from '../password/change.ts'
import { beginRecoveryCodes } from '../security/setup.ts'
import { lookAtAccount } from './look.ts'
import { type NewCodes, renderFinished, renderLost } from './page.ts'
import { lostSteps } from './steps.ts'
import { formatWalk, formatWalkName, goOn, readWalk, type StepNumber, type Walk } from './walk.ts'

const path = '/account/lost'

interface AskedStep {
  readonly visit: OwnerVisit
  readonly form: Parameters
  readonly walk: Walk
  readonly needs: AccountNeeds
}

type TakeStep = (asked: AskedStep) => Promise<Answer>

const answerNext = ({ visit, walk }: AskedStep): Answer =>
  answerSeeOther(visit, path, formatWalk(goOn(walk)))

/** Where all rows of the page are ticked, logins without a row end, too. */
const logOut: TakeStep = async (taken) => {
  const { visit, form, needs } = taken
  const { owner, session } = visit.login
  const ticked = form.all('session')
  const shown = (form.find('shown') ?? '').split(' ').filter((handle) => handle !== '')
  if (shown.every((handle) => ticked.includes(handle))) {
    await needs.store.endOtherSessions(owner.id, session.id, traceOf(visit, needs))
    return answerNext(taken)
  }
  for (const handle of ticked) {
    await needs.store.endSessionOf(owner.id, handle as SessionHandle, traceOf(visit, needs))
  }
  return answerNext(taken)
}

const removeKeys: TakeStep = async (taken) => {
  const { visit, form, walk, needs } = taken
  if (!isConfirmed(visit)) return answerUnconfirmed(visit, needs, formatWalkName(walk))
  const by = identify(visit)
  const ways = listWays(needs)
  const outcomes: string[] = []
  for (const id of form.all('passkey')) {
    const trace = traceOf(visit, needs)
    outcomes.push(await needs.store.removePasskey(id as PasskeyId, ways, by, trace))
  }
  for (const upstream of form.all('upstream')) {
    const trace = traceOf(visit, needs)
    outcomes.push(await needs.store.unlinkUpstream(upstream, ways, by, trace))
  }
  if (form.find('codes') !== null) await needs.store.removeOneTimeCodes(by, traceOf(visit, needs))
  if (outcomes.includes('refused')) return answerLoginFirst(visit, needs)
  return outcomes.includes('last')
    ? answerDoneAt(visit, path, { what: 'last', clientId: null }, formatWalk(walk))
    : answerNext(taken)
}

const changeApps =
  (what: 'pause' | 'end'): TakeStep =>
  async (taken) => {
    const { visit, form, needs } = taken
    const { owner } = visit.login
    const ticked = new Set<string>(form.all('access'))
    const all = groupApplications(await listAll(owner.id, visit.at, needs.store))
    const accesses = all
      .filter(({ newest }) => ticked.has(newest.id))
      .flatMap((application) => application.accesses)
    for (const { id, clientId, parentId } of accesses) {
      const trace = traceOf(visit, needs)
      const of = { ownerId: owner.id, clientId, parentId }
      if (what === 'pause') await needs.store.pauseAuthorizations(of, trace)
      else await needs.store.endAuthorization(id as AuthorizationId, owner.id, trace)
    }
    return answerNext(taken)
  }

const show = async (
  visit: OwnerVisit,
  asked: Walk,
  needs: AccountNeeds,
  problem: PasswordProblem | null = null,
  waitSeconds: number | null = null,
): Promise<Answer> => {
  const { language } = visit.view
  const least = needs.settings.passwordCharacters
  const said = problem && sayPasswordProblem(problem, least, language)
  const told = said && tellProblem(said, waitSeconds, language)
  const found = await lookAtAccount(visit, asked, needs, told)
  // A step with nothing to do is passed over.
  const next = lostSteps.findIndex((step, index) => index + 1 >= asked.step && step.hasWork(found))
  const step = (next < 0 ? 5 : next + 1) as StepNumber
  const shown = { ...found, walk: { ...asked, step } }
  if (step === 5) return showPage(visit, renderFinished(shown, await makeCodes(visit, needs)))
  const isLast = readDone(visit)?.what === 'last'
  const html = renderLost(shown, isLast)
  return showPage(visit, html, { ...(problem && passwordRefused[problem.is]), waitSeconds })
}

/** New recovery codes for the receipt, as the query asks for. */
const makeCodes = async (visit: OwnerVisit, needs: AccountNeeds): Promise<NewCodes> => {
  const factors = await needs.store.findFactors(visit.login.owner.id)
  if (queryOf(visit.request).find('codes') !== '1' || !hasFactor(factors)) return null
  if (!isConfirmed(visit)) return 'late'
  return beginRecoveryCodes(visit, factors, needs)
}

/** A new password takes the present one, as on its own page. */
const choosePassword: TakeStep = async (taken) => {
  const { visit, form, walk, needs } = taken
  const { owner } = visit.login
  const codes = form.find('codes') === null ? '' : '1'
  const finish = (cookies: readonly string[] = []): Answer =>
    answerSeeOther(visit, path, { ...formatWalk(goOn(walk)), codes }, cookies)
  if (owner.passwordHash === '') return finish()
  const [old, next] = [form.find('password') ?? '', form.find('new_password') ?? '']
  const problem = await findChosenProblem({ old, next, again: next }, owner, needs.settings)
  if (problem !== null) return show(visit, walk, needs, problem)
  const attempt = async (): Promise<Answer> => {
    const change = await changePassword(visit, { old, next }, needs)
    if (change.outcome === 'changed') return finish(change.cookies)
    if (change.outcome === 'ended') return answerLoginFirst(visit, needs)
    return show(visit, walk, needs, { is: 'wrong', typed: '' })
  }
  return tryOrWait(attempt, (seconds) =>
    show(visit, walk, needs, { is: 'throttled', typed: '' }, seconds),
  )
}

const actions: Readonly<Record<string, TakeStep>> = {
  'log-out': logOut,
  remove: removeKeys,
  pause: changeApps('pause'),
  end: changeApps('end'),
  renew: choosePassword,
  skip: async (taken) => answerNext(taken),
}

export const openLost: OpenPage = (needs, { forOwner, readForm }) => {
  const walkOf = ({ request }: Pick<OwnerVisit, 'request'>): Walk => readWalk(queryOf(request))

  const showStep = forOwner((visit) => show(visit, walkOf(visit), needs))

  const takeStep = forOwner(async (visit) => {
    const form = await readForm(visit)
    const action = form.find('action') ?? ''
    const act = Object.hasOwn(actions, action) ? actions[action] : undefined
    if (act === undefined) {
      throw invalidRequest(
        'bad_action',
        'action has to be log-out, remove, pause, end, renew or skip',
      )
    }
    return act({ visit, form, walk: readWalk(form), needs })
  })

  const back = (request: OwnerVisit['request']): string =>
    formatWalkName(readWalk(queryOf(request)))
  return [
    { ...page, method: 'GET', path, handler: showStep, back, isConfirmed: true },
    { ...page, method: 'POST', path, handler: takeStep, back },
  ]
}
