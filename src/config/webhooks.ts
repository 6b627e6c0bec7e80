/** The setting of webhooks: receivers of events, and the secrets of their signatures. */
import { type EventType, eventTypes } from '../model/event.ts'
import { type GivenMembers, MemberFault, parseMemberList } from './members.ts'
import { tellNearest } from './nearest.ts'

const secretBytes = { least: 24, most: 64 } as const

/** One receiver of events. */
export interface WebhookSettings {
  /** Names it in the queue, the log and the metrics. */
  readonly id: string
  readonly url: string
  /** Of Standard Webhooks: `whsec_` and base64. Each signs, so that a receiver can change its secret. */
  readonly secrets: readonly string[]
  /** Null: all of them. */
  readonly events: readonly EventType[] | null
}

/** The bytes of a secret; null if it is none. */
export const parseWebhookKey = (secret: string): Uint8Array | null => {
  const text = secret.replace(/^whsec_/, '')
  const bytes = Buffer.from(text, 'base64')
  const { least, most } = secretBytes
  const isBase64 = bytes.toString('base64') === text
  return isBase64 && bytes.length >= least && bytes.length <= most ? bytes : null
}

const readSecrets = (members: GivenMembers): readonly string[] => {
  const secrets = ['secret', 'previous_secret'].flatMap((name) => members.secret(name) ?? [])
  if (secrets.length === 0) throw new MemberFault('needs a "secret" or a "secret_file"')
  if (secrets.every((secret) => parseWebhookKey(secret) !== null)) return secrets
  const { least, most } = secretBytes
  throw new MemberFault(`needs secrets of whsec_ and the base64 of ${least} to ${most} bytes`)
}

const isEventType = (name: unknown): name is EventType => eventTypes.some((type) => type === name)

const readEvents = (members: GivenMembers): readonly EventType[] | null => {
  const given = members.other('events')
  if (given === undefined) return null
  if (!Array.isArray(given) || given.length === 0) {
    throw new MemberFault('needs a list of event types as "events", or none for all')
  }
  if (given.every(isEventType)) return given
  const unknown = given.findIndex((type) => !isEventType(type))
  const name: unknown = given[unknown]
  const meant = typeof name === 'string' ? tellNearest(name, eventTypes) : ''
  throw new MemberFault(
    `has no type of events as number ${unknown + 1} of "events"${meant || '; docs/events.md lists them'}`,
  )
}

export const parseWebhooks = parseMemberList<WebhookSettings>({
  called: 'webhooks',
  most: 20,
  needed: '"id", "url" and "secret"',
  twice: () => 'each with an "id" of its own',
  read: (members) => ({
    id: members.id(40),
    url: members.url('url'),
    secrets: readSecrets(members),
    events: readEvents(members),
  }),
})

/** Requests to this machine over plain http are for the demo alone, so they would fail each time. */
export const checkWebhooks = (
  { webhooks }: { readonly webhooks: readonly WebhookSettings[] | undefined },
  demo: boolean | undefined,
  faults: string[],
): void => {
  const plain = demo === false ? webhooks?.find(({ url }) => url.startsWith('http:')) : undefined
  if (plain === undefined) return
  faults.push(`LATCHKEY_WEBHOOKS must have https URLs outside the demo, and ${plain.id} has none`)
}
