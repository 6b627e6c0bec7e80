/** Examples of the login, and of the logout. */
import { renderDirectoryForm } from '../../../src/paper/directory.ts'
import { addReference } from '../../../src/paper/error.ts'
import type { IconName } from '../../../src/paper/icon.ts'
import { renderLogin } from '../../../src/paper/login.ts'
import { html } from '../../../src/paper/markup.ts'
import { renderNewcomer } from '../../../src/paper/upstreams.ts'
import { type Brand, linkKinds, type View } from '../../../src/paper/view.ts'
import { renderLoggedOut, renderLogout } from '../../../src/rooms/login/logout.ts'
import { csrf, journey, longName } from './values.ts'

const brand: Brand = {
  name: 'The Royal Society of Photographers',
  hasLogo: true,
  loginText: 'Members use the name on their card. Guests ask at the desk.',
  links: linkKinds.map((kind) => ({ kind, url: `https://society.example/${kind}` })),
}

const [directory, github] = [
  { id: 'company', title: longName },
  { id: 'github', title: 'GitHub', mark: 'branch' },
] as const

const known = ['search', 'panes', 'fruit', 'branch', 'loop', 'tree'].map((mark, i) => ({
  id: `up-${i}`,
  title: ['Google', 'Microsoft', 'Apple', 'GitHub', 'GitLab', 'The company'][i] ?? '',
  mark: mark as IconName,
}))

const directoryForm = {
  purpose: 'logIn',
  upstream: directory,
  action: '/login/with/company',
  fields: html``,
  username: 'alice',
  back: '/login',
} as const

export const loginSamples = (view: View): Readonly<Record<string, string>> => ({
  login: renderLogin({ view, csrf, journey, clientName: 'Photo Printer' }),
  'login-plain': renderLogin({
    view,
    csrf,
    journey: '',
    ways: ['forgot', 'signUp'],
    lastWay: 'password',
  }),
  'login-problem': addReference(
    renderLogin({
      view,
      csrf,
      journey,
      clientName: longName,
      clientRegisteredBy: 'itself',
      username: 'alice',
      problem: 'wrong',
      waitSeconds: 4,
    }),
    view,
  ),
  'login-told': renderLogin({
    view,
    csrf,
    journey,
    clientName: longName,
    clientRegisteredBy: 'itself',
    notice: 'You were logged out by then, so nothing was changed. Log in, then do it again.',
    elsewhere: 'http://localhost:6749/login',
  }),
  'login-passkey': renderLogin({ view, csrf, journey, passkey: { ceremony: 'x', options: {} } }),
  'login-elsewhere': renderLogin({ view, csrf, journey, elsewhere: 'http://localhost:6749/login' }),
  branded: renderLogin({ view: { ...view, brand }, csrf, journey, clientName: 'Photo Printer' }),
  'login-upstreams': renderLogin({ view, csrf, journey, upstreams: [directory, github] }),
  'login-last-used': renderLogin({
    view,
    csrf,
    journey,
    clientName: 'Photo Printer',
    ways: ['forgot', 'signUp'],
    lastWay: 'with.up-3',
    upstreams: known,
  }),
  'login-directory': renderDirectoryForm({
    ...directoryForm,
    view,
    csrf,
    problem: 'wrong',
    waitSeconds: 4,
  }),
  newcomer: renderNewcomer({
    view,
    csrf,
    upstream: github,
    label: 'octocat',
    form: html``,
    back: '/login',
  }),
  logout: renderLogout({ view, csrf, clientName: null, request: '' }),
  'logout-asked': renderLogout({ view, csrf, clientName: longName, request: 'client_id=x' }),
  'logged-out': renderLoggedOut({ view }),
  'logged-out-frames': renderLoggedOut({
    view,
    frames: ['about:blank'],
    returnTo: 'https://shop.example/goodbye',
  }),
})
