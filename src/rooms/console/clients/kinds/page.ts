/** The pages that make an application: the kinds to choose from, the form of one, and the page after it. */
import { hide, renderCommand, sayName } from '../../../../paper/fields.ts'
import { icons } from '../../../../paper/icon.ts'
import { type Content, html, type Markup } from '../../../../paper/markup.ts'
import { renderBack } from '../../../../paper/pieces.ts'
import { renderGo, renderRow, renderRows } from '../../../../paper/rows.ts'
import { pageUrl } from '../../../../paper/view.ts'
import {
  type ConsolePageGiven,
  type ConsolePath,
  getSubjectPath,
  renderConsolePage,
  renderFact,
} from '../../frame.ts'
import { consoleClientsWords } from '../words.ts'
import type {
  ApplicationKind,
  ChoiceNeeds,
  KindChoice,
  KindField,
  KindWords,
  Snippet,
} from './kind.ts'
import { clientKinds } from './kinds.ts'
import { getMember, type KindValues, listFields } from './values.ts'
import { consoleKindsWords } from './words.ts'

export const kindPath: ConsolePath = '/admin/new-client/:kind'

/** The kinds, above the form with every member. */
export const renderKinds = (
  { view }: ConsolePageGiven,
  form: Markup,
  isRefused: boolean,
): Markup => {
  const words = consoleKindsWords(view.language)
  const row = ({ name, icon }: ApplicationKind): Markup => {
    const { title, says } = words.kinds[name]
    const link = html`<a href="${pageUrl(view, `/admin/new-client/${name}`)}">${title}</a>`
    return renderRow({ mark: icons[icon], title: link, more: says })
  }
  return html`<section class="card"><h2>${words.which}</h2>
${renderRows(clientKinds.map(row))}</section>
<details class="card"${isRefused ? html` open` : null}><summary>${words.other}</summary>${form}</details>`
}

/** A form as it is shown. */
interface ShownKind {
  readonly kind: ApplicationKind
  readonly values: KindValues
  readonly needs: ChoiceNeeds
  readonly above: Content
  /** The answer of the admin API, and the field that it names. */
  readonly problem: { readonly field: string | null; readonly says: string } | null
}

const getHint = ({ name }: ApplicationKind, field: KindField, words: KindWords): string | null => {
  const hint = (words.hints as Readonly<Record<string, string | object>>)[field.name] ?? null
  if (hint === null || typeof hint === 'string') return hint
  return (hint as Readonly<Record<string, string>>)[name] ?? null
}

const renderTick = (
  { name, is }: KindField,
  { value, text }: KindChoice,
  values: readonly string[],
): Markup =>
  html`<label class="tick"><input type="${is === 'one' ? 'radio' : 'checkbox'}" name="${name}" value="${value}"${values.includes(value) ? html` checked` : null}><span>${text}</span></label>
`

/** The ticks of one field. Choices of one group stand below its legend. */
const renderTicks = (
  field: KindField,
  choices: readonly KindChoice[],
  values: readonly string[],
): Content => {
  const groups = [...Map.groupBy(choices, ({ group = '' }) => group)]
  return groups.map(([group, of]) => {
    const ticks = of.map((choice) => renderTick(field, choice, values))
    return group === ''
      ? html`<div>${ticks}</div>`
      : html`<fieldset><legend>${sayName(group)}</legend>${ticks}</fieldset>`
  })
}

const renderTyped = (
  kind: ApplicationKind,
  field: KindField,
  value: string,
  about: Markup,
): Markup => {
  const { name } = field
  const id = html` id="${name}" name="${name}"`
  const isLong = ['lines', 'json', 'object'].includes(getMember(kind, field).kind)
  const spelled = html` autocapitalize="none" spellcheck="false"`
  const required = field.isNeeded ? html` required` : null
  return isLong
    ? html`<textarea${id} rows="${Math.min(8, Math.max(2, value.split('\n').length))}"${spelled}${required}${about}>${value}</textarea>`
    : html`<input${id} type="text" value="${value}" autocomplete="off"${spelled}${required}${about}>`
}

const renderKindField = (field: KindField, shown: ShownKind, words: KindWords): Markup => {
  const { kind, values, needs, problem } = shown
  const { name } = field
  const member = getMember(kind, field)
  const typed = values[name] ?? []
  const isWrong = problem?.field === name
  const hints = [
    getHint(kind, field, words),
    field.is === 'typed' && member.kind === 'lines' ? words.oneOnEachLine : null,
  ].filter((hint) => hint !== null)
  const about = html` aria-describedby="${name}-hint${isWrong ? ` ${name}-problem` : ''}"${isWrong && field.is === 'typed' ? html` aria-invalid="true"` : null}`
  const wrong = isWrong
    ? html`<span class="hint bad" id="${name}-problem" lang="en" dir="ltr">${problem.says}</span>`
    : null
  const below = html`${wrong}<span class="hint" id="${name}-hint">${hints.join(' ')} <code>${name}</code></span>`
  const label = words.fields[name]
  if (field.is === 'typed') {
    if (member.kind === 'flag') {
      const tick = renderTick(field, { value: '1', text: label }, typed)
      return html`<div class="field"><div>${tick}</div>${below}</div>`
    }
    return html`<div class="field${field.of === undefined ? '' : ` of-${field.of}`}"><label for="${name}">${label}</label>
${renderTyped(kind, field, typed[0] ?? '', about)}${below}</div>
`
  }
  const choices = field.choices(needs, words)
  const isGrouped = choices.some(({ group }) => group !== undefined)
  const ticks = renderTicks(field, choices, typed)
  return html`<fieldset class="field"${about}><legend>${label}</legend>${below}
${isGrouped ? html`<div class="pair">${ticks}</div>` : ticks}</fieldset>
`
}

export const renderKindForm = (given: ConsolePageGiven, shown: ShownKind): string => {
  const { view, csrf } = given
  const { kind, needs, above, problem } = shown
  const words = consoleKindsWords(view.language)
  const { title, says } = words.kinds[kind.name]
  const offered = listFields(kind, needs)
  const render = (fields: readonly KindField[]): Content =>
    fields
      .filter((field) => offered.includes(field))
      .map((field) => renderKindField(field, shown, words))
  const isOpen = kind.more.some(({ name }) => name === problem?.field)
  return renderConsolePage(given, {
    part: 'clients',
    title,
    head: html`${renderBack(view, '/admin/new-client', words.back)}<h1>${title}</h1>
<p class="lead">${says}</p>`,
    problem: problem?.says ?? null,
    main: html`${above}<form method="post" action="${pageUrl(view, `/admin/new-client/${kind.name}`)}">${hide('csrf', csrf)}
<section class="card">${render(kind.fields)}</section>
<details class="card"${isOpen ? html` open` : null}><summary>${words.more}</summary>
<p class="quiet small">${words.later}</p>
${render(kind.more)}</details>
<p class="actions"><button class="primary" type="submit">${words.create}</button></p></form>`,
  })
}

interface MadePage {
  readonly id: string
  readonly name: string
  /** Null for an application without one. */
  readonly secret: string | null
  /** Null where no code could be written. */
  readonly snippet: Snippet | null
}

const renderSnippet = ({ install, file, code }: Snippet, words: KindWords['made']): Markup =>
  html`<h2>${words.begin}</h2>
${install === null ? null : html`<p>${words.install}</p>${renderCommand(install, words.install)}`}
<p>${words.save({ file: html`<code>${file}</code>` })}</p>
${renderCommand(code, words.begin)}
`

/** The answer to the form: the secret, shown this once, and the code to begin with. */
export const renderMade = (
  given: ConsolePageGiven,
  { id, name, secret, snippet }: MadePage,
): string => {
  const { view } = given
  const words = consoleKindsWords(view.language).made
  const { id: idWord, secretHeading } = consoleClientsWords(view.language)
  const place = snippet?.secretIsAskedFor
    ? words.asked
    : words.environment({ name: html`<code>CLIENT_SECRET</code>` })
  return renderConsolePage(given, {
    part: 'clients',
    heading: words.heading({ client: sayName(name) }),
    title: name,
    main: html`<section class="card"><dl class="facts">
${renderFact(idWord, html`<code>${id}</code>`)}
${renderFact(secretHeading, secret === null ? null : html`<code>${secret}</code>`)}</dl>
${secret === null ? null : html`<p class="notice warning">${words.secret} ${place}</p>`}</section>
<section class="card">${snippet === null ? null : renderSnippet(snippet, words)}<p class="actions">${renderGo(view, getSubjectPath('clients', id), words.toPage)}</p></section>`,
  })
}
