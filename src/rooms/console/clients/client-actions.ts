/** The buttons of the page of one application: its secret, and what stops, ends or deletes it. */
import type { Client } from '../../../model/client.ts'
import { changeClient } from '../../../operations/client-changes.ts'
import {
  endClientTokens,
  revokeRegistration,
  rotateSecret,
} from '../../../operations/client-secrets.ts'
import { deleteClient } from '../../../operations/clients.ts'
import { html, type Markup } from '../../../paper/markup.ts'
import { sayMoment } from '../../../paper/time.ts'
import { type ActionRows, markCalm, offer, renderAction, renderButtonsOf } from '../actions.ts'
import { type ConsolePageGiven, getSubjectPath } from '../frame.ts'
import { consoleClientsWords } from './words.ts'

export type ClientWords = ReturnType<typeof consoleClientsWords>

const rotate = offer<ClientWords, Client>(rotateSecret, 'rotate', 'changed', (form) => ({
  keep_old_seconds: Number(form.require('keep_old_seconds')),
}))

export const clientActions = {
  rotate: markCalm(rotate),
  /** The same where an earlier secret still works: a client keeps one old secret, so the earlier one ends. */
  again: rotate,
  replace: offer(rotateSecret, 'replace', 'changed', { keep_old_seconds: 0 }),
  enable: offer(changeClient, 'enable', 'enabled', { disabled: false }),
  disable: offer(changeClient, 'disable', 'disabled', { disabled: true }),
  end: offer(endClientTokens, 'end', 'ended'),
  revoke: offer(revokeRegistration, 'revoke', 'revoked'),
  delete: offer(deleteClient, 'delete', 'deleted'),
} satisfies ActionRows<ClientWords, Client>

/** Until when an earlier secret works. Null where none does. @param at unix seconds */
const findEarlierEnd = ({ oldSecret }: Client, at: number): number | null =>
  oldSecret !== null && oldSecret.expiresAt > at ? oldSecret.expiresAt : null

/** A calm question that was asked before another rotation would end a secret without a word. */
export const refuseCalmRotation = (action: string, client: Client, at: number): string | null =>
  action === 'rotate' && findEarlierEnd(client, at) !== null ? 'earlier' : null

/** How long an old secret may go on, in seconds. */
const keptTimes = { hour: 3600, day: 86_400, week: 604_800, month: 2_592_000 } as const

export const renderClientActions = (given: ConsolePageGiven, client: Client): Markup => {
  const { view } = given
  const words = consoleClientsWords(view.language)
  const path = getSubjectPath('clients', client.id)
  const offer = renderButtonsOf(clientActions, given, path, words)
  const options = (Object.keys(keptTimes) as (keyof typeof keptTimes)[]).map(
    (name) => html`<option value="${keptTimes[name]}">${words.keep[name]}</option>`,
  )
  const keep = html`<label class="field"><span>${words.keepOld}</span><select name="keep_old_seconds">${options}</select></label>`
  const earlierEnd = findEarlierEnd(client, view.at)
  const askAgain = (time: Markup): Markup => {
    const effect = html`${words.againEffect({ time })} ${words.rotateEffect}`
    return renderAction(given, path, 'again', [words.rotate, effect, words.rotateNow], keep)
  }
  const secret = html`<section class="card"><h2>${words.secretHeading}</h2><p class="quiet small">${words.secretOnce}</p><div class="stack">
${earlierEnd === null ? offer('rotate', keep) : askAgain(sayMoment(earlierEnd, view))}
${offer('replace')}</div></section>`
  return html`${client.secretDigest === null ? null : secret}<section class="card"><h2>${words.stop}</h2><div class="stack">
${offer(client.disabled ? 'enable' : 'disable')}
${offer('end')}
${client.registrationDigest === null ? null : offer('revoke')}
${offer('delete')}
</div></section>`
}
