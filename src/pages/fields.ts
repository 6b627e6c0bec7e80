/** Small pieces that several pages share: hidden fields, notices, moments, how long. */
import type { Duration } from '../model/authorization.ts'
import { html, type Markup } from './markup.ts'
import { plainName } from './plain-text.ts'

export const hidden = (name: string, value: string): Markup =>
  html`<input type="hidden" name="${name}" value="${value}">`

/** A name that a stranger chose; `bdi` keeps its direction from reaching the text around it. */
export const named = (name: string): Markup => html`<bdi class="name">${plainName(name)}</bdi>`

/** What went wrong, told at once by a screen reader; nothing where nothing did. */
export const alert = (problem: string | null | undefined): Markup | null =>
  problem ? html`<p class="notice problem" role="alert" id="problem">${problem}</p>` : null

/** How long, as the consent page offers it. */
export const durationLabel: Readonly<Record<Duration, string>> = {
  session: 'Until I log out',
  day: 'For one day',
  month: 'For one month',
  forever: 'Until I take it back',
}

const months =
  'January February March April May June July August September October November December'.split(' ')

/** A moment (unix seconds) in words and, for programs, in ISO 8601, both in UTC. */
export const moment = (seconds: number): Markup => {
  const iso = `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`
  const day = `${Number(iso.slice(8, 10))} ${months[Number(iso.slice(5, 7)) - 1]} ${iso.slice(0, 4)}`
  return html`<time datetime="${iso}">${day}, ${iso.slice(11, 16)} UTC</time>`
}

/** Who is logged in, on the pages where that matters. */
export const ownerLine = (owner: { readonly username: string; readonly name: string }): Markup => {
  const username = plainName(owner.username)
  return owner.name === '' || plainName(owner.name) === username
    ? html`<strong>${named(username)}</strong>`
    : html`<strong>${named(owner.name)}</strong> (${named(username)})`
}
