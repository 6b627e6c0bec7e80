/** Code to begin with, for each kind of application. docs/clients.md, browser.md, login.md and guard.md have the same calls. */
import { applyPort, isLoopbackUri } from '../../../../requests/redirect-uri.ts'
import type { MadeApplication, Snippet } from './kind.ts'

/** A text in JavaScript. */
const quote = (text: string): string =>
  /^[ -&(-[\]-~]*$/.test(text) ? `'${text}'` : JSON.stringify(text)

/** A text in a shell. */
const quoteShell = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

const isInsecure = ({ issuer }: MadeApplication): boolean => issuer.startsWith('http:')

/** 0 for a default port, since `URL` leaves it out. Nobody can be reached at port 0. */
const getPort = (uri: string): number => Number(URL.parse(uri)?.port ?? 0)

/** Few programs may listen at port 80. */
const freePort = 3000

/** The port of a loopback address does not count (RFC 8252 section 7.3). */
const addLoopbackPort = (made: MadeApplication): MadeApplication => {
  const { redirectUri } = made
  if (getPort(redirectUri) !== 0) return made
  return { ...made, redirectUri: applyPort(redirectUri, `http://127.0.0.1:${freePort}/`) }
}

/** Where a program listens: the address itself without TLS, or behind a proxy on the same machine. */
const listenAt = (uri: string): string => {
  const url = URL.parse(uri)
  if (url?.protocol !== 'http:') return `${freePort}, '127.0.0.1'`
  return `${getPort(uri) || 80}, ${quote(url.hostname.replace(/[[\]]/g, ''))}`
}

/** The path of a URI as Express takes it: alone, and as no pattern. */
const quotePath = (uri: string): string =>
  quote((URL.parse(uri)?.pathname ?? '/').replace(/[\\:*?+!(){}[\]]/g, '\\$&'))

/** How a server with openid-client connects, by the authentication method of the client. */
const connect = (made: MadeApplication) => {
  const { issuer, id, method } = made
  const isKey = method === 'private_key_jwt'
  const isCertificate = method.endsWith('tls_client_auth')
  const insecure = '{ execute: [client.allowInsecureRequests] }'
  const rest = isCertificate
    ? ['{ use_mtls_endpoint_aliases: true }', 'client.TlsClientAuth()']
    : isKey
      ? ['undefined', 'client.PrivateKeyJwt(key)']
      : ['process.env.CLIENT_SECRET', 'undefined']
  const given = [
    `new URL(${quote(issuer)})`,
    quote(id),
    ...rest,
    ...(isInsecure(made) ? [insecure] : []),
  ]
  const called = `const config = await client.discovery(\n  ${given.join(',\n  ')},\n)`
  if (isCertificate) {
    return {
      packages: ['undici'],
      imports: `import { readFileSync } from 'node:fs'\nimport * as undici from 'undici'\n`,
      code: `const [cert, key] = [readFileSync('client.pem'), readFileSync('client.key')]
const dispatcher = new undici.Agent({ connect: { cert, key } })
${called}
config[client.customFetch] = (url, options) => undici.fetch(url, { ...options, dispatcher })`,
    }
  }
  return isKey
    ? {
        packages: ['jose'],
        imports: `import { importPKCS8 } from 'jose'\n`,
        code: `// The private key, in PEM (PKCS #8). An RSA key takes PS256 in place of ES256.
const key = await importPKCS8(process.env.CLIENT_KEY ?? '', 'ES256')
${called}`,
      }
    : { packages: [], imports: '', code: called }
}

export const writeWeb = (application: MadeApplication): Snippet => {
  const made = addLoopbackPort(application)
  const { redirectUri, scope } = made
  const { packages, imports, code } = connect(made)
  return {
    install: ['npm install express express-session openid-client', ...packages].join(' '),
    file: 'server.mjs',
    code: `import express from 'express'
import session from 'express-session'
import * as client from 'openid-client'
${imports}
const redirectUri = ${quote(redirectUri)}
${code}

const app = express()
// A random text of your own.
const secret = process.env.SESSION_SECRET
app.use(session({ secret, resave: false, saveUninitialized: false }))

app.get('/login', async (request, response) => {
  const pkceCodeVerifier = client.randomPKCECodeVerifier()
  const expectedState = client.randomState()
  request.session.checks = { pkceCodeVerifier, expectedState }
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope: ${quote(scope)},
    state: expectedState,
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
  })
  response.redirect(url.href)
})

app.get(${quotePath(redirectUri)}, async (request, response, next) => {
  const answer = new URL(request.originalUrl, redirectUri)
  const tokens = await client.authorizationCodeGrant(config, answer, request.session.checks)
  // A new session, so that nobody waits in the old one.
  request.session.regenerate((error) => {
    if (error) return next(error)
    request.session.tokens = tokens
    response.type('text').send('Logged in')
  })
})

app.listen(${listenAt(redirectUri)}, () => console.log('open /login'))
`,
  }
}

/** The beginning of the code flow with oauth4webapi. */
const beginFlow = (made: MadeApplication) => `import * as oauth from 'oauth4webapi'

const issuer = new URL(${quote(made.issuer)})
const client = { client_id: ${quote(made.id)} }
const redirectUri = ${quote(made.redirectUri)}
const options = ${isInsecure(made) ? '{ [oauth.allowInsecureRequests]: true }' : '{}'}

const found = await oauth.discoveryRequest(issuer, options)
const server = await oauth.processDiscoveryResponse(issuer, found)
`

/** The URL of an authorization request. */
const makeUrl = ({ scope }: MadeApplication, indent: string): string =>
  `const verifier = oauth.generateRandomCodeVerifier()
const state = oauth.generateRandomState()
const url = new URL(server.authorization_endpoint)
url.search = new URLSearchParams({
  response_type: 'code',
  client_id: client.client_id,
  redirect_uri: redirectUri,
  scope: ${quote(scope)},
  state,
  code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
  code_challenge_method: 'S256',
})`.replaceAll('\n', `\n${indent}`)

const redeem = `await oauth.authorizationCodeGrantRequest(
    server, client, oauth.None(), answer, redirectUri, verifier, options,
  )`

export const writeBrowser = (made: MadeApplication): Snippet => ({
  install: 'npm install oauth4webapi',
  file: 'app.js',
  code: `${beginFlow(made)}
export const logIn = async () => {
  ${makeUrl(made, '  ')}
  sessionStorage.setItem('request', JSON.stringify({ verifier, state }))
  location.assign(url)
}

/** On the page of the redirect URI. Keep the tokens in memory. */
export const readTokens = async () => {
  const { verifier, state } = JSON.parse(sessionStorage.getItem('request') ?? '{}')
  sessionStorage.removeItem('request')
  const answer = oauth.validateAuthResponse(server, client, new URL(location.href), state)
  history.replaceState(null, '', redirectUri)
  const answered = ${redeem}
  return oauth.processAuthorizationCodeResponse(server, client, answered)
}
`,
})

/** A desktop or a command listens at a loopback address (RFC 8252 section 7.3). */
const writeLoopback = (made: MadeApplication): Snippet => ({
  install: 'npm install oauth4webapi',
  file: 'app.mjs',
  code: `import { createServer } from 'http'
${beginFlow(made)}
${makeUrl(made, '')}

// Open this address in the browser of the system.
console.log(\`open \${url}\`)
const callback = new Promise((resolve) => {
  const listener = createServer((request, response) => {
    response.setHeader('Connection', 'close').end('Done. Go back to the application.')
    listener.close()
    resolve(new URL(request.url, redirectUri))
  })
  listener.listen(${listenAt(made.redirectUri)})
})

const answer = oauth.validateAuthResponse(server, client, await callback, state)
const answered = ${redeem}
const tokens = await oauth.processAuthorizationCodeResponse(server, client, answered)
console.log(\`a token for \${tokens.expires_in} seconds\`)
`,
})

export const writeNative = (made: MadeApplication): Snippet => {
  const { issuer, id, redirectUri, scope } = made
  if (isLoopbackUri(redirectUri)) return writeLoopback(addLoopbackPort(made))
  return {
    install: 'npm install react-native-app-auth',
    file: 'login.js',
    code: `import { authorize } from 'react-native-app-auth'

const config = {
  issuer: ${quote(issuer)},
  clientId: ${quote(id)},
  redirectUrl: ${quote(redirectUri)},
  scopes: [${scope.split(' ').map(quote).join(', ')}],${isInsecure(made) ? '\n  dangerouslyAllowInsecureHttpRequests: true,' : ''}
}

/** The system browser opens. PKCE goes along by itself. */
export const logIn = () => authorize(config)
`,
  }
}

export const writeMachine = (made: MadeApplication): Snippet => {
  const { issuer, mtlsUrl, id, method, scope } = made
  const grant = `  -d grant_type=client_credentials --data-urlencode ${quoteShell(`scope=${scope}`)}`
  if (method.endsWith('tls_client_auth')) {
    return {
      install: null,
      file: 'token.sh',
      code: `curl -sS --cert client.pem --key client.key ${quoteShell(`${mtlsUrl}/token`)} \\
  --data-urlencode ${quoteShell(`client_id=${id}`)} \\
${grant}
`,
    }
  }
  if (method === 'private_key_jwt') {
    const { packages, imports, code } = connect(made)
    return {
      install: ['npm install openid-client', ...packages].join(' '),
      file: 'service.mjs',
      code: `import * as client from 'openid-client'
${imports}
${code}
const tokens = await client.clientCredentialsGrant(config, { scope: ${quote(scope)} })
console.log(\`a token for \${tokens.expires_in} seconds\`)
`,
    }
  }
  // RFC 6749 section 2.3.1: the id is encoded like a form.
  const user = quoteShell(`${encodeURIComponent(id)}:`)
  return {
    install: null,
    file: 'token.sh',
    code: `curl -sS ${quoteShell(`${issuer}/token`)} -u ${user}"$CLIENT_SECRET" \\
${grant}
`,
  }
}

export const writeApi = ({ issuer, id, uri, resource }: MadeApplication): Snippet => ({
  // No registry has the package: docs/express.md. The folder of this service lies beside that of the API.
  install: `(cd ../latchkey && npm pack ./packages/resource)
npm install express latchkey@file:../latchkey/latchkey-resource-0.1.0.tgz`,
  file: 'api.mjs',
  code: `import express from 'express'
import { protect } from 'latchkey/resource/express'

const guard = protect({
  issuer: ${quote(issuer)},
  resource: ${quote(uri)},
  clientId: ${quote(id)},
  clientSecret: process.env.CLIENT_SECRET,
})

const app = express()
app.get(guard.metadataPath, guard.metadata)
app.get(${quotePath(uri)}, guard(${quote(`${resource}:read`)}), (request, response) => {
  response.json({ hello: request.access.username })
})
app.listen(${listenAt(uri)})
`,
})

/** Clients listen at the port of their redirect URI. */
export const writeMcp = ({ id, uri, resource, redirectUri }: MadeApplication): Snippet => {
  const port = isLoopbackUri(redirectUri) ? getPort(redirectUri) : 0
  const oauth = { clientId: id, ...(port === 0 ? {} : { callbackPort: port }) }
  const server = { type: 'http', url: uri, oauth }
  const config = { mcpServers: { [resource]: server } }
  return {
    install: null,
    file: '.mcp.json',
    secretIsAskedFor: true,
    code: `${JSON.stringify(config, null, 2)}\n`,
  }
}
