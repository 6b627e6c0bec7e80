/** `/forgot`: asks for a link to choose a new password. */
import { canMail } from '../../owners/ways-in.ts'
import { type Parameters, parameterLimits } from '../../protocol/parameters.ts'
import { forWay } from '../waiting.ts'
import { ask, showAsk, showClosed, showSent } from './ask.ts'

/** `GET /forgot` */
export const showForgotPage = forWay((visit, parts) => {
  if (!canMail(parts)) return showClosed(visit, 'forgot', 'off', parts)
  const isSent = visit.given.find('sent') !== null
  return isSent ? showSent(visit, 'forgot', parts) : showAsk(visit, 'forgot')
})

/** Nobody has a longer name or address, or one with invisible characters. */
const namedIn = (form: Parameters): string =>
  (form.find('username') ?? '')
    .slice(0, parameterLimits.emailCharacters)
    .replace(/\p{C}+/gu, '')
    .trim()

/** `POST /forgot` */
export const askForReset = forWay((visit, parts) =>
  canMail(parts)
    ? ask(visit, 'forgot', namedIn(visit.given), parts)
    : showClosed(visit, 'forgot', 'off', parts),
)
