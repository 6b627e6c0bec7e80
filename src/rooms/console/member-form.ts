/** Forms of clients and resources. Fields and their kinds follow from the forms of the operations. */
import { hashText } from '../../crypto/digest.ts'
import type { Answer } from '../../http/answer.ts'
import type { Operation } from '../../operations/operation.ts'
import type { JsonRow } from '../../operations/surface/said.ts'
import { hide } from '../../paper/fields.ts'
import { type Content, html, type Markup } from '../../paper/markup.ts'
import { renderBack } from '../../paper/pieces.ts'
import { pageUrl } from '../../paper/view.ts'
import type { Parameters } from '../../protocol/parameters.ts'
import { Refusal } from '../../protocol/refusal.ts'
import type { RouteRow } from '../../route.ts'
import { showPage } from '../visit.ts'
import {
  type ConsolePageGiven,
  type ConsolePath,
  fillPath,
  getListPath,
  getPagePath,
  getPart,
  renderConsolePage,
} from './frame.ts'
import { type FormMember, formatMember, parseMember } from './member.ts'
import { answerConsole, type Console, type ConsoleVisit, catchGone } from './visit.ts'

/** The values of the fields, as text; a ticked flag is `1`. */
type MemberTexts = Readonly<Record<string, string>>

/** A form as it is shown. */
interface ShownForm<On> {
  /** Null for a new one. */
  readonly on: On | null
  readonly texts: MemberTexts
  /** Of the values that the form began with. */
  readonly version: string
  /** The answer of the admin API, and the field that it names. */
  readonly problem: { readonly field: string | null; readonly says: string } | null
}

export interface MemberForm<On> {
  /** The place of the form for a new one. */
  readonly newPath: ConsolePath
  readonly read: Operation<On>
  readonly create: Operation
  readonly change: Operation
  readonly members: () => readonly FormMember[]
  /** Between the entries of a list. */
  readonly separator: string | RegExp
  /** All fields stand on one card. */
  readonly isCard?: true
  /** What stands around the form of a new one. */
  readonly around?: (given: ConsolePageGiven, form: Markup, isRefused: boolean) => Content
  /** Members without a field in this form. */
  readonly hides: (on: On | null) => readonly string[]
  readonly describe: (on: On) => object
  /** What is shown in place of the page of the subject. Null: that page. */
  readonly answer?: (said: JsonRow, visit: ConsoleVisit) => Answer | null
  readonly says: (
    given: ConsolePageGiven,
    on: On | null,
  ) => Readonly<Record<'heading' | 'back' | 'submit', Content>> & { readonly title: string }
  /** @param renderField one member as a field, with its hint */
  readonly fields: (
    given: ConsolePageGiven,
    shown: ShownForm<On> & { readonly members: readonly FormMember[] },
    renderField: (member: FormMember, hint: Content) => Markup,
  ) => Content
}

export const formatTexts = <On>({ members, describe }: MemberForm<On>, on: On): MemberTexts => {
  const described = describe(on) as JsonRow
  return Object.fromEntries(
    members().map(({ name, kind }) => [name, formatMember(described[name], kind)]),
  )
}

/** Tells the values of two moments apart. */
const hashTexts = (texts: MemberTexts): string =>
  hashText(JSON.stringify(Object.entries(texts))).slice(0, 16)

const renderField = (
  { name, kind }: FormMember,
  hint: Content,
  { texts, problem }: ShownForm<never>,
): Markup => {
  const value = texts[name] ?? ''
  const isWrong = problem?.field === name
  const about = html` aria-describedby="${name}-hint${isWrong ? ` ${name}-problem` : ''}"${isWrong ? html` aria-invalid="true"` : null}`
  const wrong = isWrong
    ? html`<span class="hint bad" id="${name}-problem" lang="en" dir="ltr">${problem.says}</span>`
    : null
  const below = html`${wrong}<span class="hint" id="${name}-hint">${hint}</span>`
  const label = html`<span><code>${name}</code></span>`
  if (kind === 'flag') {
    return html`<div class="field"><label class="tick"><input type="checkbox" name="${name}" value="1"${value === '1' ? html` checked` : null}${about}>${label}</label>${below}</div>`
  }
  const rows = Math.min(8, Math.max(2, value.split('\n').length + 1))
  const input = ['lines', 'json', 'object'].includes(kind)
    ? html`<textarea name="${name}" rows="${rows}" spellcheck="false"${about}>${value}</textarea>`
    : html`<input type="text" name="${name}" value="${value}" autocomplete="off" autocapitalize="none" spellcheck="false"${about}>`
  return html`<label class="field">${label}${input}${below}</label>
`
}

export const renderMemberForm = <On>(
  row: MemberForm<On>,
  given: ConsolePageGiven,
  shown: ShownForm<On>,
): string => {
  const { view, csrf } = given
  const { on, version, problem } = shown
  const { heading, title, back, submit } = row.says(given, on)
  const part = getPart(row.read)
  const subject = on === null ? null : fillPath(getPagePath(row.read), { ...row.describe(on) })
  const members = row.members().filter(({ name }) => !row.hides(on).includes(name))
  const field = (member: FormMember, hint: Content): Markup =>
    renderField(member, hint, { ...shown, on: null })
  const form = html`<form${row.isCard ? html` class="card"` : null} method="post" action="${pageUrl(view, subject === null ? row.newPath : `${subject}/edit`)}">${hide('csrf', csrf)}${hide('version', version)}
${row.fields(given, { ...shown, members }, field)}
<p class="actions"><button class="primary" type="submit">${submit}</button></p></form>`
  return renderConsolePage(given, {
    part,
    title,
    head: html`${renderBack(view, subject ?? getListPath(row.read), back)}<h1>${heading}</h1>`,
    problem: problem?.says ?? null,
    main: on === null ? (row.around?.(given, form, problem !== null) ?? form) : form,
  })
}

/** The fields as a browser sent them. Browsers end lines with a return and a line feed. */
const readTexts = <On>(
  { members, hides }: MemberForm<On>,
  sent: Parameters,
  on: On | null,
  before: MemberTexts | null,
): MemberTexts => {
  const typed = (name: string): string => (sent.find(name) ?? '').replaceAll('\r\n', '\n').trim()
  const textOf = (name: string): string =>
    hides(on).includes(name) ? (before?.[name] ?? '') : typed(name)
  return Object.fromEntries(members().map(({ name }) => [name, textOf(name)]))
}

/** The members with another value than before. */
const getChanges = <On>(
  { members, separator }: MemberForm<On>,
  texts: MemberTexts,
  before: MemberTexts | null,
) => {
  const changed = members().filter(({ name }) => texts[name] !== (before?.[name] ?? ''))
  return Object.fromEntries(
    changed.map(({ name, kind, isNullable }) => {
      const text = texts[name] ?? ''
      const isNone = text === '' && isNullable && kind !== 'flag' && kind !== 'unlimited'
      return [name, isNone ? null : parseMember(text, kind, separator)]
    }),
  )
}

/** The form of a new one, and the form of each. */
export const openMemberForm = <On extends object>(
  row: MemberForm<On>,
  { form, change, find, perform }: Console,
): readonly RouteRow[] => {
  const { newPath, read } = row
  const path = getPagePath(read)

  const show = (
    visit: ConsoleVisit,
    on: On | null,
    texts: MemberTexts,
    version: string,
    refusal: Refusal | null = null,
  ): Answer => {
    const { description: says = '', status = 200, reason = null } = refusal ?? {}
    const names = row.members().map(({ name }) => name)
    const field = says.split(/[^a-z_]+/).find((word) => names.includes(word)) ?? null
    const problem = refusal === null ? null : { field, says }
    const html = renderMemberForm(row, visit.given, { on, texts, version, problem })
    return showPage(visit, html, { status, reason })
  }

  const send = async (visit: ConsoleVisit, sent: Parameters, on: On | null): Promise<Answer> => {
    const before = on === null ? null : formatTexts(row, on)
    const texts = readTexts(row, sent, on, before)
    const version = sent.find('version') ?? ''
    try {
      if (before !== null && version !== hashTexts(before)) throw changedMeanwhile()
      const asked = {
        operation: on === null ? row.create : row.change,
        given: getChanges(row, texts, before),
        ...(on === null ? {} : { found: on }),
      }
      const said = await (on === null ? perform(visit, asked) : catchGone(perform(visit, asked)))
      if (said === null) return answerConsole(visit, getListPath(read), 'gone')
      const what = on === null ? 'created' : 'changed'
      return row.answer?.(said, visit) ?? answerConsole(visit, fillPath(path, said), what)
    } catch (fault) {
      // The form again, with the refusal beside the field. Other refusals are for the door.
      if (!(fault instanceof Refusal) || fault.status >= 500) throw fault
      return show(visit, on, texts, version, fault)
    }
  }

  const edit: ConsolePath = `${path}/edit`
  return [
    form(newPath, (visit) => show(visit, null, {}, '')),
    change(newPath, (visit, sent) => send(visit, sent, null), [row.create]),
    form(edit, async (visit) => {
      const on = await find(visit, read)
      const texts = formatTexts(row, on)
      return show(visit, on, texts, hashTexts(texts))
    }),
    change(edit, async (visit, sent) => send(visit, sent, await find(visit, read)), [row.change]),
  ]
}

/** A form of old values would undo the change of another operator. */
const changedMeanwhile = (): Refusal =>
  new Refusal('conflict', 'changed_meanwhile', 'it was changed meanwhile: open this form again')
