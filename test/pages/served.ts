/** Serves the sample pages with the real stylesheet under the headers that the service sends. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { defaultAccent } from '../../src/config/accent.ts'
import { type Answer, answerAsset, answerPage, scriptPolicy } from '../../src/http/answer.ts'
import { consentScript } from '../../src/pages/consent-script.ts'
import { renderIcon } from '../../src/pages/icon.ts'
import { passkeysScript } from '../../src/pages/passkeys-script.ts'
import { renderStylesheet } from '../../src/pages/stylesheet.ts'
import { playgroundStyles } from '../../src/playground/styles.ts'
import { samples } from './samples.ts'

const logo =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 3 1"><path fill="#c60" d="M0 0h3v1z"/></svg>'

const assets: Readonly<Record<string, Answer>> = {
  '/assets/latchkey.css': answerAsset(
    'text/css; charset=utf-8',
    renderStylesheet(defaultAccent, playgroundStyles),
  ),
  '/assets/icon.svg': answerAsset('image/svg+xml', renderIcon(defaultAccent)),
  '/assets/passkeys.js': answerAsset('text/javascript; charset=utf-8', passkeysScript),
  '/assets/consent.js': answerAsset('text/javascript; charset=utf-8', consentScript),
  // The real one would leave the page before anybody could look at it.
  '/assets/form-post.js': answerAsset('text/javascript; charset=utf-8', '// stays'),
  '/assets/logo': answerAsset('image/svg+xml', logo),
}

/** A page under the policy that the service sends it with. */
const answerSample = (html: string): Answer =>
  /\/assets\/(passkeys|consent|form-post)\.js/.test(html)
    ? answerPage(html, 200, [], scriptPolicy)
    : answerPage(html)

export interface Served {
  readonly origin: string
  close(): void
}

export const serveSamples = (): Promise<Served> =>
  new Promise((resolve) => {
    const server = createServer((request, response) => {
      const path = request.url ?? '/'
      const answer = assets[path] ?? answerSample(samples[path.slice(1)] ?? '')
      for (const [name, value] of Object.entries(answer.headers)) response.setHeader(name, value)
      response.statusCode = answer.body === '' ? 404 : 200
      response.end(answer.body)
    })
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      resolve({
        origin: `http://127.0.0.1:${port}`,
        close: () => {
          server.close()
          server.closeAllConnections()
        },
      })
    })
  })
