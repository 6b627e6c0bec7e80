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
import { type ActionRows, markCalm, offer, renderButtonsOf } from '../actions.ts'
import { type ConsolePageGiven, getSubjectPath } from '../frame.ts'
import { consoleClientsWords } from './words.ts'

export type ClientWords = ReturnType<typeof consoleClientsWords>

export const clientActions = {
  rotate: markCalm(
    offer(rotateSecret, 'rotate', 'changed', (form) => ({
      keep_old_seconds: Number(form.require('keep_old_seconds')),
    })),
  ),
  replace: offer(rotateSecret, 'replace', 'changed', { keep_old_seconds: 0 }),
  enable: offer(changeClient, 'enable', 'enabled', { disabled: false }),
  disable: offer(changeClient, 'disable', 'disabled', { disabled: true }),
  end: offer(endClientTokens, 'end', 'ended'),
  revoke: offer(revokeRegistration, 'revoke', 'revoked'),
  delete: offer(deleteClient, 'delete', 'deleted'),
} satisfies ActionRows<ClientWords, Client>

/** How long an old secret may go on, in seconds. */
const keptTimes = { hour: 3600, day: 86_400, week: 604_800, month: 2_592_000 } as const

export const renderClientActions = (given: ConsolePageGiven, client: Client): Markup => {
  const words = consoleClientsWords(given.view.language)
  const offer = renderButtonsOf(clientActions, given, getSubjectPath('clients', client.id), words)
  const options = (Object.keys(keptTimes) as (keyof typeof keptTimes)[]).map(
    (name) => html`<option value="${keptTimes[name]}">${words.keep[name]}</option>`,
  )
  const keep = html`<label class="field"><span>${words.keepOld}</span><select name="keep_old_seconds">${options}</select></label>`
  const secret = html`<section class="card"><h2>${words.secretHeading}</h2><p class="quiet small">${words.secretOnce}</p><div class="stack">
${offer('rotate', keep)}
${offer('replace')}</div></section>`
  return html`${client.secretDigest === null ? null : secret}<section class="card"><h2>${words.stop}</h2><div class="stack">
${offer(client.disabled ? 'enable' : 'disable')}
${offer('end')}
${client.registrationDigest === null ? null : offer('revoke')}
${offer('delete')}
</div></section>`
}
