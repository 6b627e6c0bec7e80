/** What the servers of all peers share: their clients, forms, the session of a browser, the port. */
import { createServer } from 'node:http'
import { DatabaseSync } from 'node:sqlite'

/** Kept in memory and compared as they are: more than these libraries ask for, and in their favour. */
export const clients = {
  'nightly-report': { secret: 'nightly-report-secret', grants: ['client_credentials'] },
  'photo-printer': {
    secret: 'photo-printer-secret',
    grants: ['authorization_code', 'refresh_token'],
  },
  'order-report': { secret: 'order-report-secret', grants: ['client_credentials'] },
  'photo-printer-es256': {
    secret: 'photo-printer-secret',
    grants: ['authorization_code', 'refresh_token'],
    idTokenAlgorithm: 'ES256',
  },
}
export const redirectUri = 'http://127.0.0.1:6750/callback'

/**
 * WAL without an fsync for each commit, which is what these libraries' users would choose; or with
 * one (`full` as the last argument), after which an answer outlives a power cut as well.
 */
export const openDatabase = (path) => {
  const database = new DatabaseSync(path)
  database.exec('pragma journal_mode = wal')
  database.exec(`pragma synchronous = ${process.argv[4] === 'full' ? 'full' : 'normal'}`)
  return database
}

export const readForm = async (request) => {
  let text = ''
  request.setEncoding('utf8')
  for await (const piece of request) text += piece
  return Object.fromEntries(new URLSearchParams(text))
}

/** An answer whose length is said goes out whole; otherwise Node would send it in chunks. */
export const reply = (response, status, headers, body = '') =>
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) }).end(body)

/** A table of browsers that are logged in. */
export const openSessions = (database) => {
  database.exec(
    'create table if not exists sessions (id text primary key, owner text) without rowid',
  )
  const find = database.prepare('select owner from sessions where id = ?')
  const add = database.prepare('insert or ignore into sessions (id, owner) values (?, ?)')
  return {
    find(request) {
      const id = /(?:^|; )session=([^;]+)/.exec(request.headers.cookie ?? '')?.[1]
      return id === undefined ? null : (find.get(id)?.owner ?? null)
    },
    /** Whoever comes is alice from then on. */
    begin(response, back) {
      const id = crypto.randomUUID()
      add.run(id, 'alice')
      reply(response, 302, { location: back, 'set-cookie': `session=${id}; Path=/` })
    },
  }
}

/** Listens where it is told, and lets `makeHandler` know its own URL. */
export const serve = (makeHandler) => {
  const server = createServer()
  server.listen(Number(process.argv[2]), '127.0.0.1', async () => {
    const issuer = `http://127.0.0.1:${server.address().port}`
    const handle = await makeHandler(issuer)
    server.on('request', (request, response) => {
      Promise.resolve(handle(request, response)).catch((fault) => {
        if (response.headersSent) response.destroy()
        else reply(response, 500, {}, String(fault))
      })
    })
    process.stdout.write(`listening on ${issuer}\n`)
  })
}
