/** Serves the sample pages with the real stylesheet under the headers that the service sends. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { playgroundStyles } from '../../playground/styles.ts'
import { defaultAccent } from '../../src/config/brand.ts'
import { defaultLook } from '../../src/config/look.ts'
import {
  type Answer,
  answerAsset,
  answerText,
  livePolicy,
  pageHeaders,
  scriptPolicy,
} from '../../src/http/answer.ts'
import { renderStylesheet, scripts } from '../../src/paper/assets.ts'
import { renderIcon } from '../../src/paper/icon.ts'
import { samples } from './samples.ts'

const logo =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 3 1"><path fill="#c60" d="M0 0h3v1z"/></svg>'

const css = answerText('text/css; charset=utf-8')
const stylesheet = renderStylesheet(defaultAccent, defaultLook, playgroundStyles)

const served: Readonly<Record<string, string>> = {
  ...scripts,
  // The real one would leave the page before anybody could look at it.
  'form-post': '// stays',
}

const pictures: Readonly<Record<string, Answer>> = {
  '/assets/icon.svg': answerAsset('image/svg+xml', renderIcon(defaultAccent)),
  '/assets/logo': answerAsset('image/svg+xml', logo),
  '/pictures/face': answerAsset('image/svg+xml', logo),
}

/** A file that pages load, as the service sends it; undefined for any other path. */
const answerFile = (path: string, acceptEncoding: string): Answer | undefined => {
  if (path === '/assets/latchkey.css') return css(stylesheet, acceptEncoding)
  const script = served[/^\/assets\/([a-z-]+)\.js$/.exec(path)?.[1] ?? '']
  if (script === undefined) return pictures[path]
  return answerText('text/javascript; charset=utf-8')(script, acceptEncoding)
}

/** The policy that the service sends a page with. */
const pickPolicy = (html: string) => {
  if (html.includes('/assets/live.js')) return livePolicy
  const isScripted = /\/assets\/(passkeys|passwords|recovery|consent|form-post|account)\.js/.test(
    html,
  )
  return isScripted ? scriptPolicy : {}
}

const answerSample = (html: string): Answer => ({
  status: 200,
  headers: { ...pageHeaders, ...pickPolicy(html) },
  body: html,
})

/** All that a browser gets for a page: the page with its headers, and every file that it may load. */
export const sentWith = (html: string): string =>
  JSON.stringify([answerSample(html), stylesheet, served, pictures])

export interface Served {
  readonly origin: string
  close(): void
}

/** @param pages by the names under which they are served */
export const serveSamples = (pages = samples): Promise<Served> =>
  new Promise((resolve) => {
    const server = createServer((request, response) => {
      const path = request.url ?? '/'
      const acceptEncoding = String(request.headers['accept-encoding'] ?? '')
      const answer = answerFile(path, acceptEncoding) ?? answerSample(pages[path.slice(1)] ?? '')
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
