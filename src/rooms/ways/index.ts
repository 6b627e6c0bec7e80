/** Ways into an account beside the login: sign up, invitation, reset, and the mails about them. */
import { type FormerRow, page } from '../../route.ts'
import { changePasswordUrl } from './change-password.ts'
import { askForReset, showForgotPage } from './forgot.ts'
import { mailboxPage } from './mailbox.ts'
import { acceptInvitation, resetPassword, showInvitePage, showResetPage } from './reset.ts'
import { showSignUpPage, signUp } from './sign-up.ts'
import { showVerifyPage, verifyEmail } from './verify.ts'

/** @param mailbox null where mails are sent, or there are none */
export const waysRows = (
  mailbox: Parameters<typeof mailboxPage>[0] | null,
): readonly FormerRow[] => [
  { ...page, method: 'GET', path: '/signup', handler: showSignUpPage },
  { ...page, method: 'POST', path: '/signup', handler: signUp },
  { ...page, method: 'GET', path: '/forgot', handler: showForgotPage },
  { ...page, method: 'POST', path: '/forgot', handler: askForReset },
  { ...page, method: 'GET', path: '/reset', handler: showResetPage },
  { ...page, method: 'POST', path: '/reset', handler: resetPassword },
  { ...page, method: 'GET', path: '/invite', handler: showInvitePage },
  { ...page, method: 'POST', path: '/invite', handler: acceptInvitation },
  { ...page, method: 'GET', path: '/verify', handler: showVerifyPage },
  { ...page, method: 'POST', path: '/verify', handler: verifyEmail },
  {
    ...page,
    method: 'GET',
    path: '/.well-known/change-password',
    handler: changePasswordUrl,
    limited: 'never',
  },
  ...(mailbox === null
    ? []
    : [{ ...page, method: 'GET', path: '/mailbox', handler: mailboxPage(mailbox) } as const]),
]
