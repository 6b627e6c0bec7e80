/** Serves the sample pages with the real stylesheet under the headers that the service sends. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answerPage } from '../../src/http/answer.ts'
import { stylesheet } from '../../src/pages/stylesheet.ts'
import { samples } from './samples.ts'

export interface Served {
  readonly origin: string
  close(): void
}

export const serveSamples = (): Promise<Served> =>
  new Promise((resolve) => {
    const server = createServer((request, response) => {
      const path = request.url ?? '/'
      const page = samples[path.slice(1)]
      const isStylesheet = path === '/assets/latchkey.css'
      for (const [name, value] of Object.entries(answerPage('').headers)) {
        response.setHeader(name, value)
      }
      if (isStylesheet) response.setHeader('Content-Type', 'text/css; charset=utf-8')
      response.statusCode = page || isStylesheet ? 200 : path === '/favicon.ico' ? 204 : 404
      response.end(isStylesheet ? stylesheet : page)
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
