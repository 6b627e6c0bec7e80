/** A service with the resource of docs/forward-auth.md, and an API that answers with its headers. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { loadSettings } from '../../src/config/load.ts'
import { startService } from '../../src/embed.ts'
import { houseApp, latchkeyAdmin } from '../support/demo-clients.ts'
import { basic, formBody } from '../support/start.ts'

export const ordersUri = 'https://orders.example.com/v1'

export interface Orders {
  readonly issuer: string
  /** Where the API listens: `127.0.0.1:PORT`. */
  readonly api: string
  post(
    path: string,
    form: Readonly<Record<string, string>>,
    client: readonly [string, string],
    headers?: Readonly<Record<string, string>>,
  ): Promise<Readonly<Record<string, string>>>
  /** A token of alice. */
  tokenOf(scope: string, headers?: Readonly<Record<string, string>>): Promise<string>
  close(): Promise<void>
}

/** Resolves once a server accepts connections. @param isAlive whether it still runs */
export const whenAccepting = async (port: number, isAlive: () => boolean): Promise<void> => {
  for (;;) {
    const socket = connect(port, '127.0.0.1')
    try {
      await once(socket, 'connect')
      return
    } catch {
      assert.ok(isAlive(), 'the proxy did not start')
      await setImmediate()
    } finally {
      socket.destroy()
    }
  }
}

const openApi = async () => {
  const api = createServer(async (request, response) => {
    let body = ''
    for await (const piece of request) body += piece
    const { authorization = null, ...rest } = request.headers
    const remote = Object.entries(rest).filter(([name]) => name.startsWith('remote-'))
    const { method } = request
    response.end(JSON.stringify({ method, body, authorization, ...Object.fromEntries(remote) }))
  })
  api.listen(0, '127.0.0.1')
  await once(api, 'listening')
  return api
}

/** @param place a folder for the database */
export const openOrders = async (place: string): Promise<Orders> => {
  const data = join(place, 'data')
  mkdirSync(data)
  const env = { LATCHKEY_STORE: `sqlite:${join(data, 'latchkey.db')}`, PORT: '0' }
  const service = await startService({
    settings: loadSettings({ env, flags: {}, cwd: data }),
    tell: () => {},
  })
  const api = await openApi()
  const { issuer } = service
  const post: Orders['post'] = async (path, form, client, headers = {}) => {
    const answer = await fetch(issuer + path, {
      method: 'POST',
      headers: { authorization: basic(client), ...headers },
      body: new URLSearchParams(formBody(form)),
    })
    return (await answer.json()) as Record<string, string>
  }
  const operate = async (method: string, path: string, json: object): Promise<void> => {
    const form = { grant_type: 'client_credentials' }
    const { access_token } = await post('/token', form, latchkeyAdmin)
    const headers = {
      authorization: `Bearer ${access_token}`,
      'content-type': 'application/json',
    }
    const body = JSON.stringify(json)
    const answer = await fetch(`${issuer}/admin/api/${path}`, { method, headers, body })
    assert.ok(answer.ok, await answer.text())
  }
  const orders = { name: 'orders', title: 'Orders', read: 'See', write: 'Change', uri: ordersUri }
  await operate('POST', 'resources', orders)
  for (const client of ['house-app', 'nightly-report']) {
    await operate('PATCH', `clients/${client}`, { scope: 'photos orders' })
  }
  return {
    issuer,
    api: `127.0.0.1:${(api.address() as AddressInfo).port}`,
    post,
    async tokenOf(scope, headers) {
      const form = { grant_type: 'password', username: 'alice', password: 'wonderland', scope }
      const answer = await post('/token', form, houseApp, headers)
      assert.ok(answer.access_token, JSON.stringify(answer))
      return answer.access_token
    },
    async close() {
      api.closeAllConnections()
      api.close()
      await service.close()
    },
  }
}
