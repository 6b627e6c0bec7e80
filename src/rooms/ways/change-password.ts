/** `/.well-known/change-password`: where password managers lead (W3C, A Well-Known URL for Changing Passwords). */
import { answerRedirect } from '../../http/answer.ts'
import type { Endpoint } from '../../route.ts'
import { basePath } from '../paths.ts'

export const changePasswordUrl: Endpoint = (_, parts) =>
  answerRedirect(`${basePath(parts)}/account/password`, 302)
