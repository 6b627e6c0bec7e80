/** Streams beside very many revocations that concern another API. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { decodeJwt } from 'jose'
import { type ClientId, type EventId, makeId, type OwnerId } from '../../src/model/ids.ts'
import { answerOf } from '../support/browser.ts'
import { photoPrinter } from '../support/demo-clients.ts'
import { invoices, orders, startWithJwts } from '../support/elsewhere.ts'
import { codeRequest, walk } from '../support/printing.ts'
import { openStream, pollStream } from '../support/signals.ts'
import { openSite } from '../support/site.ts'
import type { Started } from '../support/start.ts'
import { redeem } from '../support/tokens.ts'
import { operatorOf } from './operator.ts'

let service: Started
before(async () => {
  service = await startWithJwts()
})
after(() => service.close())

/** What alice allows Photo Printer at one of the APIs. */
const allow = async (scope: string, resource: string) => {
  const request = { ...codeRequest, scope, prompt: 'consent' }
  const { code = '' } = answerOf(await walk(service, request))
  const { body } = await redeem(service, code, photoPrinter, { resource })
  const { sub = '', lk_authorization: id } = decodeJwt(body.access_token)
  return { ownerId: sub as OwnerId, id: String(id) }
}

/** So many revocations that Nightly Report never hears of. */
const revokeElsewhere = async (times: number): Promise<void> => {
  const { ownerId } = await allow('invoices:read', invoices)
  const { store } = service.server()
  const of = { ownerId, clientId: photoPrinter[0] as ClientId }
  const given = {
    clock: () => service.now() * 1000,
    random: (n: number) => crypto.getRandomValues(new Uint8Array(n)),
  }
  const trace = () => ({
    eventId: makeId<EventId>(given),
    at: service.now(),
    requestId: null,
    actor: { type: 'service' } as const,
  })
  for (let done = 0; done < times; done += 2) {
    await store.pauseAuthorizations(of, trace())
    await store.resumeAuthorizations({ ...of, session: null }, trace())
  }
}

describe('more than five thousand revocations at other APIs', () => {
  test('hide nothing from a stream, polled or pushed', async () => {
    const site = await openSite((_, answer) => answer.writeHead(202).end())
    const endpoint_url = `http://127.0.0.1:${site.port}/x`
    const polled = await openStream(service)
    await openStream(service, { delivery: { method: 'urn:ietf:rfc:8935', endpoint_url } })
    await revokeElsewhere(5001)
    service.pass(1)
    const { id } = await allow('orders:read', orders)
    const operator = await operatorOf(service)
    assert.ok((await operator('DELETE', `authorizations/${id}`)).status < 300)
    const { body } = await pollStream(service, polled)
    assert.equal(Object.keys(body.sets).length, 1)
    await service.advance(1)
    assert.equal(site.requests.length, 1)
    await site.close()
  })

  test('are passed for good, though nobody takes a set', async () => {
    const polled = await openStream(service)
    const { store } = service.server()
    const begun = (await store.findSignalStream(polled))?.position ?? 0
    await revokeElsewhere(100)
    await service.advance(1)
    assert.ok(((await store.findSignalStream(polled))?.position ?? 0) >= begun + 100)
  })
})
