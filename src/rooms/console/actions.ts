/** Buttons of the console. One table names the words and the operation of each. */
import type { Answer } from '../../http/answer.ts'
import type { Operation } from '../../operations/operation.ts'
import type { JsonRow } from '../../operations/surface/said.ts'
import { hide } from '../../paper/fields.ts'
import { type Content, html, type Markup } from '../../paper/markup.ts'
import { type QuestionLook, renderAct, renderAsked } from '../../paper/rows.ts'
import type { Parameters } from '../../protocol/parameters.ts'
import { Refusal } from '../../protocol/refusal.ts'
import type { RouteRow } from '../../route.ts'
import {
  type ConsolePageGiven,
  type ConsolePath,
  fillPath,
  getListPath,
  getPagePath,
} from './frame.ts'
import { answerConsole, type Console, type ConsoleVisit, catchGone } from './visit.ts'
import { consoleWords } from './words.ts'

/** What a button says. With an effect and a confirmation it asks first. */
type ButtonTexts = readonly [button: Content, effect?: Content, confirm?: string | undefined]

export interface ActionRow<Words, On> {
  readonly operation: Operation
  readonly says: (words: Words) => ButtonTexts
  /** The key of the notice. */
  readonly done: string
  /** The body, as the admin API takes it. */
  readonly given: JsonRow | ((form: Parameters, on: On) => JsonRow)
  /**
   * Nothing ends, is deleted, or cannot be taken back. Every other question is red, and what acts
   * at once never is.
   */
  readonly isCalm?: true
}

type Word<Words> = keyof Words & string

/**
 * One button.
 *
 * @param word names its text. With a word `xEffect` the button asks first, and `xNow` confirms
 * @param confirm names the confirmation in place of `xNow`
 */
export const offer = <Words extends object, On>(
  operation: Operation,
  word: Word<Words>,
  done: string,
  given: ActionRow<Words, On>['given'] = {},
  confirm = `${word}Now` as Word<Words>,
): ActionRow<Words, On> => {
  const textOf = (words: Words, name: string): string | undefined =>
    (words as Readonly<Record<string, string | undefined>>)[name]
  const says = (words: Words): ButtonTexts => {
    const text = textOf(words, word) ?? ''
    const effect = textOf(words, `${word}Effect`)
    const confirmation = textOf(words, confirm)
    // Half a question would be none, and the button would act at once.
    if ((effect === undefined) !== (confirmation === undefined))
      throw new Error(`${word} asks half`)
    return effect === undefined ? [text] : [text, effect, confirmation]
  }
  return { operation, says, done, given }
}

/** Of an action by which nothing is lost. */
export const markCalm = <Words, On>(row: ActionRow<Words, On>): ActionRow<Words, On> => ({
  ...row,
  isCalm: true,
})

export type ActionRows<Words, On> = Readonly<Record<string, ActionRow<Words, On>>>

/** A form whose button acts at once, or asks first. @param look of the question */
export const renderAction = (
  { view, csrf }: ConsolePageGiven,
  path: ConsolePath,
  action: string,
  [button, effect, confirm]: ButtonTexts,
  fields: Content = null,
  look: QuestionLook = null,
): Markup => {
  const form = { view, csrf, path, fields: html`${hide('action', action)}${fields}` }
  return confirm === undefined
    ? renderAct(form, button)
    : renderAsked(form, { button, effect: effect ?? null, confirm, look })
}

/** In a receipt: the button of the opposite action. */
export const renderUndo = (given: ConsolePageGiven, path: ConsolePath, action: string): Markup =>
  renderAction(given, path, action, [consoleWords(given.view.language).undo])

/** Renders the button of a row. The button has further fields of its form, and a look of its question. */
export const renderButtonsOf =
  <Words, Name extends string>(
    rows: Readonly<Record<Name, ActionRow<Words, never>>>,
    given: ConsolePageGiven,
    path: ConsolePath,
    words: Words,
  ) =>
  (name: Name, fields: Content = null, look: QuestionLook = null): Markup => {
    const { says, isCalm } = rows[name]
    return renderAction(given, path, name, says(words), fields, isCalm ? 'calm' : look)
  }

/** Nothing of the subject is left. */
const isDeletion = ({ method, path }: Operation): boolean =>
  method === 'DELETE' && /:\w+$/.test(path)

/** An action that is more than a row. Answers with the key of the notice, or in its own way. */
type FurtherAction<On> = (on: On, form: Parameters, visit: ConsoleVisit) => Promise<Answer | string>

interface Acting<On> {
  /** The operation that reads the subject: its page has these buttons. */
  readonly of: Operation<On>
  readonly actions: Readonly<Record<string, ActionRow<never, On> | FurtherAction<On>>>
  /** The key of a notice in place of an action that nobody may do to this subject. */
  readonly forbids?: (action: string, on: On, visit: ConsoleVisit) => string | null
  /** What is shown in place of a notice. Null: the notice. */
  readonly answer?: (said: JsonRow, visit: ConsoleVisit, on: On) => Answer | null
  /** The operations of further actions. */
  readonly offers?: readonly Operation[]
}

export const openActions = <On>(
  acting: Acting<On>,
  { change, find, perform }: Console,
): RouteRow => {
  const { of, actions, offers = [] } = acting
  const path = getPagePath(of)
  // The page to go to without the subject.
  const list = getListPath(of)

  const act = async (
    { operation, given, done }: ActionRow<never, On>,
    on: On,
    form: Parameters,
    visit: ConsoleVisit,
  ): Promise<Answer | string> => {
    const body = typeof given === 'function' ? given(form, on) : given
    const said = await catchGone(perform(visit, { operation, given: body }))
    if (said === null) return answerConsole(visit, list, 'gone')
    const answer = acting.answer?.(said, visit, on) ?? null
    if (answer !== null) return answer
    return isDeletion(operation) ? answerConsole(visit, list, done) : done
  }

  const handle = async (visit: ConsoleVisit, form: Parameters): Promise<Answer> => {
    const on = await find(visit, of)
    const action = form.find('action') ?? ''
    const row = Object.hasOwn(actions, action) ? actions[action] : undefined
    if (row === undefined) {
      throw new Refusal('invalid_request', 'unknown_action', 'this form has no such action')
    }
    const done =
      acting.forbids?.(action, on, visit) ??
      (await (typeof row === 'function' ? row(on, form, visit) : act(row, on, form, visit)))
    return typeof done === 'string'
      ? answerConsole(visit, fillPath(path, visit.params), done)
      : done
  }

  const ofRows = Object.values(actions).flatMap((row) => ('operation' in row ? row.operation : []))
  return change(path, handle, [...new Set([...ofRows, ...offers])])
}
