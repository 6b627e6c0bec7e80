/** Words of the playground: what each flow is. */
import { defineWords } from '../../src/paper/catalog.ts'

export const flowWords = defineWords('playground.flows', {
  code: {
    title: 'Authorization code',
    text: 'A web application with a secret asks for access, the owner decides, and the application exchanges a code for tokens.',
  },
  pkce: {
    title: 'Authorization code with PKCE',
    text: 'The same for an application that cannot keep a secret: in a browser, on a telephone, on a desktop.',
  },
  implicit: {
    title: 'Implicit',
    text: 'The token comes through the browser at once. Kept for old applications; new ones use PKCE.',
  },
  password: {
    title: 'Password',
    text: 'The owner’s password, traded for tokens. For the operator’s own, trusted applications alone.',
  },
  'client-credentials': {
    title: 'Client credentials',
    text: 'A service acts for itself: no owner, no browser, no refresh token.',
  },
  refresh: {
    title: 'Refresh with rotation',
    text: 'A new pair of tokens for the old refresh token, a lost answer asked for again, and a thief found out.',
  },
  device: {
    title: 'A television',
    text: 'A device without a browser shows a code. Its owner types it on a telephone, and decides there.',
  },
  extension: {
    title: 'Extension grant',
    text: 'A grant type of your own, in one file.',
  },
  api: {
    title: 'Read and write',
    text: 'The resource server with its three ways to send a token, and versions that keep changes apart.',
  },
  introspection: {
    title: 'Introspection',
    text: 'What may this token do right now? Who may ask?',
  },
  revocation: {
    title: 'Revocation',
    text: 'A client gives its tokens back, and they are over on the next request.',
  },
  expiry: {
    title: 'Expiry',
    text: 'A token that lives for three seconds, before and after.',
  },
  pause: {
    title: 'Pause and resume',
    text: 'An application that can do nothing for a while and loses nothing.',
  },
  audience: {
    title: 'APIs elsewhere',
    text: 'One approval for two APIs on hosts of their own, and a token for each that the other cannot use.',
  },
  details: {
    title: 'One item in detail',
    text: 'An application asks for a single photo, and its owner sees which one.',
  },
  grants: {
    title: 'Grants that clients manage',
    text: 'An application begins a grant, adds to it, looks at it and gives it back.',
  },
  'forward-auth': {
    title: 'Forward auth',
    text: 'A proxy asks about each request before it lets it through to an API.',
  },
  dpop: {
    title: 'A token that is bound to a key',
    text: 'Each request proves the key of the client, so a stolen token is worthless.',
  },
  assertion: {
    title: 'A client that signs',
    text: 'The client proves itself by a signature of its key (private_key_jwt). No secret is sent, and none is kept here.',
  },
  'secret-assertion': {
    title: 'A secret that is not sent',
    text: 'The client signs with its secret (client_secret_jwt), so nobody on the way sees the secret.',
  },
  platform: {
    title: 'A client without any secret',
    text: 'The platform that runs a program vouches for it: a build service, or a cluster.',
  },
  certificate: {
    title: 'A client with a certificate',
    text: 'The client shows a certificate in TLS, and its tokens work in such a connection alone.',
  },
  exchange: {
    title: 'Token exchange',
    text: 'A helper exchanges the token of an application for its own: less, no longer, and alice sees who acts.',
  },
  registration: {
    title: 'Dynamic registration',
    text: 'A client introduces itself, changes what it said, and leaves.',
  },
  'open-registration': {
    title: 'Open registration',
    text: 'An editor on a desktop registers itself as a stranger, with a scheme of its own, and asks an owner.',
  },
  document: {
    title: 'Client ID metadata document',
    text: 'A client without any registration: its client_id is the URL of a document about it.',
  },
  metadata: {
    title: 'Metadata',
    text: 'From the bare address of a resource to everything a client has to know.',
  },
  login: {
    title: 'Log in with OpenID Connect',
    text: 'An application learns who its user is: an ID token, read and checked, and claims that the owner allows.',
  },
  hybrid: {
    title: 'Hybrid, and a form',
    text: 'An ID token comes at once, beside the code or in a form, and proves what came with it.',
  },
  claims: {
    title: 'Claims, one by one',
    text: 'An application asks for a telephone number by name. The owner unticks it, and nobody learns it.',
  },
  'step-up': {
    title: 'Step up',
    text: 'A login as fresh and as strong as the application needs, or an error that says why not.',
  },
  logout: {
    title: 'Log out',
    text: 'An application logs its user out everywhere, and hears of a logout by a signed token.',
  },
  jwt: {
    title: 'JWT access token',
    text: 'An API reads the token by itself, and hears at once that it was revoked.',
  },
  signals: {
    title: 'Signals for an API',
    text: 'An API opens a stream, and hears by signed sets that access was narrowed or has ended.',
  },
  pairwise: {
    title: 'Pairwise subjects',
    text: 'Two applications know the same owner by two names, and cannot compare them.',
  },
  'signed-request': {
    title: 'Signed request',
    text: 'The application signs its request, so nobody can change it on the way.',
  },
  'pushed-request': {
    title: 'Pushed request',
    text: 'The application sends its request to the service directly. The browser carries only a reference, used once.',
  },
  'trusted-issuer': {
    title: 'Allowed by a company',
    text: 'A company signs for its people, and its application gets a token without a consent page. They see it, and can end it.',
  },
  backchannel: {
    title: 'An owner elsewhere',
    text: 'A till asks a customer by name. The customer decides on a telephone, once, for one token.',
  },
})

export type FlowName = keyof ReturnType<typeof flowWords>
