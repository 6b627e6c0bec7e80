/** `/forgot`: asks for a link to choose a new password. */
import { limits } from '../../config/limits.ts'
import { queryOf } from '../../http/exchange.ts'
import { canMail } from '../../owners/ways-in.ts'
import type { Parameters } from '../../protocol/parameters.ts'
import { readOwnForm } from '../door/forms.ts'
import { forBrowser } from '../door/page.ts'
import { ask, showAsk, showClosed, showSent } from './ask.ts'

/** `GET /forgot` */
export const showForgotPage = forBrowser((visit, parts) => {
  if (!canMail(parts)) return showClosed(visit, 'forgot', 'off')
  const isSent = queryOf(visit.request).find('sent') !== null
  return isSent ? showSent(visit, 'forgot', parts) : showAsk(visit, 'forgot')
})

/** Nobody has a longer name or address, or one with invisible characters. */
const namedIn = (form: Parameters): string =>
  (form.find('username') ?? '')
    .slice(0, limits.emailCharacters)
    .replace(/\p{C}+/gu, '')
    .trim()

/** `POST /forgot` */
export const askForReset = forBrowser(async (visit, parts) => {
  const form = await readOwnForm(visit, parts)
  if (!canMail(parts)) return showClosed(visit, 'forgot', 'off')
  return ask(visit, 'forgot', namedIn(form), parts)
})
