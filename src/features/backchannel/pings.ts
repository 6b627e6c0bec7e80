/**
 * Tells clients that somebody has decided (OpenID CIBA section 10.2). No request waits for it. A ping says nothing
 * of the decision: the client asks at `/token`.
 */
import { findClient } from '../../clients/find.ts'
import type { Vault } from '../../crypto/wrap.ts'
import type { Outbound } from '../../http/outbound.ts'
import type { Client } from '../../model/client.ts'
import type { Clock, FamilyId } from '../../model/ids.ts'
import type { Tell } from '../../model/notice.ts'
import type { Store } from '../../store/store.ts'
import { filterFrequent } from '../../tokens/logout-notices.ts'
import type { BackchannelPing } from './contract.ts'
import { pingLimits } from './limits.ts'

/** The bearer token that the client chose, and the request. */
interface Carried {
  readonly token: string
  readonly authReqId: string
}

const getPurpose = (id: FamilyId): string => `latchkey backchannel ping ${id}`

/** Both are secrets, and the ping needs them again. */
export const wrapPing = (
  id: FamilyId,
  carried: Carried,
  { vault }: { readonly vault: Vault },
): string => vault.wrap(Buffer.from(JSON.stringify(carried)), getPurpose(id))

/** Null where its root secret is gone. */
const unwrapPing = ({ id, ping }: BackchannelPing, vault: Vault): Carried | null => {
  const bytes = vault.unwrap(ping, getPurpose(id))
  return bytes && (JSON.parse(Buffer.from(bytes).toString()) as Carried)
}

interface PingParts {
  readonly store: Store
  readonly vault: Vault
  readonly clock: Clock
  readonly tell: Tell
  readonly sent: Readonly<Record<Client['registeredBy'], Outbound>>
}

const pauseAfter = (tries: number): number =>
  Math.min(pingLimits.longestPauseSeconds, pingLimits.firstPauseSeconds * 2 ** (tries - 1))

/** True unless another try makes sense. */
const post = async (ping: BackchannelPing, { store, vault, sent }: PingParts): Promise<boolean> => {
  const client = await findClient(ping.clientId, { store })
  const { backchannel_token_delivery_mode: mode, backchannel_client_notification_endpoint: url } =
    client?.openid ?? {}
  const carried = unwrapPing(ping, vault)
  if (client === null || mode !== 'ping' || url === undefined || carried === null) return true
  const answer = await sent[client.registeredBy].fetch({
    url,
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Authorization: `Bearer ${carried.token}`,
    },
    body: JSON.stringify({ auth_req_id: carried.authReqId }),
    mostBytes: pingLimits.answerBytes,
  })
  return answer.outcome !== 'failed' && answer.status >= 200 && answer.status < 300
}

export const openPings = (parts: PingParts) => {
  const { store, clock, tell } = parts
  const underWay = new Map<Promise<void>, BackchannelPing>()
  let isClosed = false
  let claiming: Promise<number> | null = null
  const now = (): number => Math.floor(clock() / 1000)
  const noteFault = (fault: unknown): void =>
    tell({ level: 'error', message: 'a backchannel ping was not sent', fault: String(fault) })

  const send = async (ping: BackchannelPing): Promise<void> => {
    const isDone = await post(ping, parts)
    const dueAt = now() + pauseAfter(ping.tries)
    const isLast = isDone || dueAt >= ping.expiresAt
    await store.postponeBackchannelPing(ping, isLast ? null : dueAt)
    // The client polls at the end, or hears that the request has expired.
    if (isLast && !isDone) {
      tell({ level: 'warn', message: 'a backchannel ping was given up', client: ping.clientId })
    }
  }

  const claimOf = async (by: Client['registeredBy']): Promise<number> => {
    const ofStranger = by === 'itself'
    const sending = [...underWay.values()].filter((ping) => ping.ofStranger === ofStranger)
    const most = pingLimits.atOnce[by] - sending.length
    if (isClosed || most <= 0) return 0
    const at = now()
    const busy = sending.map(({ clientId }) => clientId)
    const owners = sending.flatMap(({ ownerId }) => ownerId ?? [])
    const busyOwners = filterFrequent(owners, pingLimits.atOncePerOwner)
    const until = at + pingLimits.claimSeconds
    const claimed = { ofStranger, busy, busyOwners, most, until }
    const pings = await store.claimBackchannelPings(claimed, at)
    for (const ping of pings) {
      const sent = send(ping)
        .catch(noteFault)
        .finally(() => underWay.delete(sent))
      underWay.set(sent, ping)
    }
    return pings.length
  }

  /** One at a time, since two would exceed the bounds together. @returns how many were claimed */
  const claim = (): Promise<number> => {
    claiming ??= Promise.all([claimOf('operator'), claimOf('itself')])
      .then(([own, strange]) => own + strange)
      .finally(() => {
        claiming = null
      })
    return claiming
  }

  return {
    /** Sends what is due, and never rejects. A silent client holds up nobody but itself. */
    async deliver(): Promise<void> {
      for (let claimed = 1; claimed > 0; ) {
        claimed = await claim().catch((fault: unknown) => {
          noteFault(fault)
          return 0
        })
        await Promise.all(underWay.keys())
      }
    },
    async close(): Promise<void> {
      isClosed = true
      await Promise.all(underWay.keys())
    },
  }
}
