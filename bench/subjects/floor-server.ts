/** The server of the floor. It does all that any HTTP server has to do for these requests, and no more. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { makeServerOptions } from '../../src/http/listen.ts'
import type { Canned, Cans } from './floor.ts'

const cans: Cans = JSON.parse(process.env.FLOOR_ANSWERS ?? '{}')

const answer = (response: ServerResponse, can: Canned | undefined): void => {
  if (can === undefined) response.writeHead(404).end()
  else response.writeHead(can.status, can.headers).end(can.body)
}

const readForm = (request: IncomingMessage, read: (form: URLSearchParams) => void): void => {
  let text = ''
  request.setEncoding('utf8')
  request.on('data', (piece) => {
    text += piece
  })
  request.on('end', () => read(new URLSearchParams(text)))
}

const server = createServer(makeServerOptions(), (request, response) => {
  const path = request.url?.split('?', 1)[0] ?? ''
  if (request.method === 'GET') {
    const known = request.headers.authorization ?? request.headers.cookie
    answer(response, known === undefined ? undefined : cans[path])
  } else {
    readForm(request, (form) => answer(response, cans[form.get('grant_type') ?? path]))
  }
})

server.listen(Number(process.argv[2]), '127.0.0.1', () => {
  process.stdout.write(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}\n`)
})
