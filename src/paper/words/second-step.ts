/** Words of the second step of a login, and of proving once more to be there. */
import { defineWords, message } from '../catalog.ts'

export const secondStepWords = defineWords('second-step', {
  title: 'One more step',
  intro: 'Your password is right. Show one more thing that only you have.',
  code: 'One-time code',
  codeHint: 'The six digits in your authenticator app.',
  codeSubmit: 'Log in',
  passkeySubmit: 'Use a passkey',
  passkeyElsewhere: message(
    'Your passkey belongs to a host name, such as localhost, and not to an IP address: to use it, begin the login at {link}.',
    { link: 'markup' },
  ),
  recovery: 'Use a recovery code instead',
  recoveryCode: 'Recovery code',
  recoveryHint: 'Each of them works once.',
  recoverySubmit: 'Log in with it',
  lost: 'Lost all of these? Ask whoever runs this service.',
  back: 'Start again',
  wrong: 'That was not accepted. Each code works once.',
  used: 'This code, or a later one, was used already. Wait for the next one in your app.',
  confirmTitle: 'Is it you?',
  confirmIntro: message(
    'You are logged in as {owner}. Before anything is changed here, please show once more that it is you.',
    { owner: 'markup' },
  ),
  confirmPassword: 'Password',
  confirmSubmit: 'Go on',
  confirmStrongly: 'Your password alone does not confirm it. Use a passkey, or log in again.',
  confirmLogin: 'Log in again',
  confirmOther: 'The service that logs you in cannot ask you anew, so it does not confirm it.',
  confirmForgot: 'Choose a password by mail',
  confirmBack: 'Back to the account',
  confirmWrong: 'That was not right.',
})
