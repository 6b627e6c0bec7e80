/** The actions of an operator on a user: let in, give roles, stop, delete. */

import type { WayIn } from '../../../model/factor.ts'
import type { Owner } from '../../../model/owner.ts'
import { type EntryForm, renderAct, renderAsked } from '../../../paper/entries.ts'
import { hidden, named } from '../../../paper/fields.ts'
import { type Content, html, type Markup } from '../../../paper/markup.ts'
import { moment } from '../../../paper/time.ts'
import type { ConsolePageGiven } from '../frame.ts'
import { ownerPath } from '../pieces.ts'
import { consoleOwnersWords } from './words.ts'

export const ownerForm = (
  { view, csrf }: ConsolePageGiven,
  { id }: Pick<Owner, 'id'>,
  fields: Markup,
): EntryForm => ({ view, csrf, path: ownerPath(id), fields })

interface ActedOn {
  readonly owner: Owner
  readonly isSelf: boolean
  readonly ways: readonly WayIn[]
  readonly canMail: boolean
}

const renderHelp = (given: ConsolePageGiven, { owner, canMail }: ActedOn): Markup => {
  const words = consoleOwnersWords(given.view.language)
  const send = html`<label class="tick"><input type="checkbox" name="send" value="1"><span>${words.linkSend}</span></label>`
  const mail = canMail && owner.email !== '' ? send : null
  const link = ownerForm(given, owner, html`${hidden('action', 'link')}${mail}`)
  const factors = ownerForm(given, owner, hidden('action', 'factors'))
  return html`<section class="card"><h2>${words.help}</h2><div class="stack">
${
  owner.disabled
    ? null
    : renderAsked(link, {
        button: words.link,
        effect: words.linkEffect,
        confirm: words.linkMake,
      })
}
${renderAsked(factors, {
  button: words.factors,
  effect: words.factorsEffect,
  confirm: words.factorsNow,
})}
</div></section>`
}

/** What is not ticked goes with a role in the console. */
const renderWays = ({ view }: ConsolePageGiven, { ways }: ActedOn): Content => {
  const words = consoleOwnersWords(view.language)
  if (ways.length === 0) return null
  const title = {
    passkey: words.wayPasskey,
    upstream: words.wayUpstream,
    password: words.password,
    email: words.wayEmail,
  }
  return html`<fieldset><legend>${words.ways}</legend><p class="hint">${words.waysHint}</p>
${ways.map(
  ({ id, kind, name, at }) =>
    html`<label class="tick"><input type="checkbox" name="keep ${id}" value="1"><span>${title[kind]} ${named(name)} · ${moment(at, view)}</span></label>`,
)}</fieldset>`
}

const renderRoles = (given: ConsolePageGiven, page: ActedOn): Markup => {
  const { owner } = page
  const words = consoleOwnersWords(given.view.language)
  const input = html`${hidden('action', 'roles')}<label class="field"><span class="unseen">${words.roles}</span><input name="roles" value="${owner.roles.join(' ')}" autocomplete="off" autocapitalize="none" spellcheck="false"><span class="hint">${words.rolesHint}</span></label>${renderWays(given, page)}`
  return html`<section class="card"><h2>${words.roles}</h2>
${renderAct(ownerForm(given, owner, input), words.rolesSave)}</section>`
}

const renderStop = (given: ConsolePageGiven, { owner, isSelf }: ActedOn): Markup => {
  const words = consoleOwnersWords(given.view.language)
  const asked = (action: string, button: string, effect: string, confirm: string): Markup =>
    renderAsked(ownerForm(given, owner, hidden('action', action)), { button, effect, confirm })
  const enable = ownerForm(given, owner, hidden('action', 'enable'))
  const end = owner.disabled
    ? renderAct(enable, words.enable)
    : asked('disable', words.disable, words.disableEffect, words.disableNow)
  return html`<section class="card"><h2>${words.stop}</h2><div class="stack">
${asked('end-sessions', words.endSessions, words.endSessionsEffect, words.endSessionsNow)}
${asked('end-access', words.endAccess, words.endAccessEffect, words.endAccessNow)}
${isSelf ? null : end}
${isSelf ? null : asked('delete', words.remove, words.removeEffect, words.removeNow)}
</div>${isSelf ? html`<p class="quiet small">${words.self}</p>` : null}</section>`
}

export const renderOwnerActions = (given: ConsolePageGiven, acted: ActedOn): Markup =>
  html`${renderHelp(given, acted)}
${acted.isSelf ? null : renderRoles(given, acted)}
${renderStop(given, acted)}`
