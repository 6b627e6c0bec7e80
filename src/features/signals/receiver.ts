/** The client behind a request about streams: the one that introspects the tokens of an API. */
import { refuseOtherAudience } from '../../access/audience.ts'
import type { Authentication } from '../../clients/authenticate.ts'
import { findClient } from '../../clients/find.ts'
import { awaitBody } from '../../http/body.ts'
import type { Exchange } from '../../http/exchange.ts'
import { httpLimits } from '../../http/limits.ts'
import { type Client, isPublic } from '../../model/client.ts'
import type { ClientPermission } from '../../model/scope-word.ts'
import { Parameters } from '../../protocol/parameters.ts'
import { Refusal } from '../../protocol/refusal.ts'
import type { ServiceParts } from '../../registries.ts'
import { readTokenHeader } from '../../resource/bearer.ts'
import { missingPermission, openAdmission } from '../../rooms/api/admission.ts'
import type { SignalStream } from './contract.ts'

export type SignalNeeds = ServiceParts & Authentication

type SignalPermission = Extract<ClientPermission, `ssf.${string}`>

const none = new Parameters(new Map())

/** A challenge says how a token is sent (RFC 6750 section 3). No page of another origin manages streams. */
export const streamRow = { refusedAs: 'bearer' } as const

/** The stream of another API looks like one that never was. */
export const unknownStream = (): Refusal =>
  new Refusal('not_found', 'no_such_stream', 'the client has no such stream')

export const openReceiver = (needs: SignalNeeds) => {
  const { authenticate, settings, store, resources } = needs
  const { verify } = openAdmission(needs)

  const isApi = ({ id }: Client): boolean =>
    resources.list().some(({ introspectionClients }) => introspectionClients.includes(id))

  /** A resource that another node has just added is looked up before the refusal. */
  const checkApi = async (client: Client): Promise<void> => {
    if (!isPublic(client)) {
      if (isApi(client)) return
      await resources.learn()
      if (isApi(client)) return
    }
    const said = 'streams are for the introspection_clients of a resource'
    throw new Refusal('unauthorized_client', 'no_api_of_streams', said, { status: 403 })
  }

  /** A token of the client itself. Who may manage streams may read them. */
  const findByToken = async (exchange: Exchange, needed: SignalPermission): Promise<Client> => {
    const token = readTokenHeader(exchange.request)
    const presented = token && { ...token, way: 'header' as const, form: null }
    const access = await verify(presented, needed, exchange)
    refuseOtherAudience(access, settings.issuer, resources.latest.site)
    const { permissions } = access
    if (!permissions.includes(needed) && !permissions.includes('ssf.manage')) {
      throw missingPermission(access, needed)
    }
    const client = await findClient(access.clientId, needs)
    if (client !== null) return client
    throw new Refusal('invalid_token', 'client_gone', 'the client of the access token is gone')
  }

  /**
   * The client, by its own authentication or by a token of its own.
   *
   * @throws Refusal `invalid_client`, `invalid_token`, `insufficient_scope`, `unauthorized_client`
   */
  const findReceiver = async (exchange: Exchange, needed: SignalPermission): Promise<Client> => {
    // Nobody acts by a credential that was revoked while the body came.
    await awaitBody(exchange.request, httpLimits.jsonBytes)
    const isToken = readTokenHeader(exchange.request) !== null
    const client = await (isToken ? findByToken(exchange, needed) : authenticate(exchange, none))
    await checkApi(client)
    return client
  }

  /** @throws Refusal `invalid_request`, `not_found` */
  const findStream = async (id: unknown, { id: clientId }: Client): Promise<SignalStream> => {
    if (id === undefined || id === null) {
      throw new Refusal('invalid_request', 'malformed_stream', 'stream_id is needed')
    }
    const found = typeof id === 'string' ? await store.findSignalStream(id) : null
    if (found?.clientId !== clientId) throw unknownStream()
    return found
  }

  return { findReceiver, findStream }
}
