/** Words of the playground: clients with certificates. */
import { defineWords } from '../../src/paper/catalog.ts'

export const certificateWords = defineWords('playground.certificates', {
  'register-certificate': {
    title: 'Register a client with its certificate',
    text: 'The operator registers the certificate in a key of the client. No authority has to sign it.',
  },
  'certificate-token': {
    title: 'Get a token in a connection with the certificate',
    text: 'TLS ends at the proxy, so you see the request of the proxy: the certificate of the connection is in Client-Cert. Introspection names it as cnf.',
  },
  'certificate-read': {
    title: 'Read in such a connection',
    text: 'The token comes as Bearer, beside the certificate of the connection.',
  },
  'forged-certificate': {
    title: 'Write the certificate into a header',
    text: 'A certificate is public. Somebody copies it into Client-Cert, and sends the request past the proxy.',
    meaning:
      'Only a trusted proxy is believed. For anybody else the header is removed before any endpoint sees it.',
  },
  'other-certificate': {
    title: 'Show another certificate',
    text: 'Somebody proves a certificate of their own in TLS, and names this client.',
    meaning: 'The certificate is not the registered one.',
  },
  'without-certificate': {
    title: 'Steal the token',
    text: 'A thief has the token, and sends it without a certificate.',
    meaning: 'The token is bound to a certificate, so alone it opens nothing.',
  },
  'token-and-other-certificate': {
    title: 'Steal the token, with a certificate',
    text: 'The thief proves a certificate of their own.',
    meaning: 'The connection is right, and the token is bound to another certificate.',
  },
})
