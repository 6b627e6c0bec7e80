/** The setting of webhooks: receivers of events, and the secrets of their signatures. */
import { type EventType, eventTypes } from '../model/event.ts'
import { didYouMean } from './nearest.ts'
import type { SettingRows } from './setting.ts'
import { membersOf, UpstreamMemberFault, type UpstreamMembers } from './upstream-members.ts'
import type { Parse } from './values.ts'

const mostWebhooks = 20
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

const idOf = (members: UpstreamMembers): string => {
  const id = members.text('id')
  if (/^[a-z][a-z0-9-]{0,39}$/.test(id)) return id
  throw new UpstreamMemberFault('needs an "id" of at most 40 lower-case letters, digits and "-"')
}

/** The bytes of a secret; null if it is none. */
export const webhookKey = (secret: string): Uint8Array | null => {
  const text = secret.replace(/^whsec_/, '')
  const bytes = Buffer.from(text, 'base64')
  const { least, most } = secretBytes
  const isBase64 = bytes.toString('base64') === text
  return isBase64 && bytes.length >= least && bytes.length <= most ? bytes : null
}

const secretsOf = (members: UpstreamMembers): readonly string[] => {
  const secrets = ['secret', 'previous_secret'].flatMap((name) => members.secret(name) ?? [])
  if (secrets.length === 0) throw new UpstreamMemberFault('needs a "secret" or a "secret_file"')
  if (secrets.every((secret) => webhookKey(secret) !== null)) return secrets
  const { least, most } = secretBytes
  throw new UpstreamMemberFault(
    `needs secrets of whsec_ and the base64 of ${least} to ${most} bytes`,
  )
}

const isEventType = (name: unknown): name is EventType => eventTypes.some((type) => type === name)

const eventsOf = (members: UpstreamMembers): readonly EventType[] | null => {
  const given = members.other('events')
  if (given === undefined) return null
  if (!Array.isArray(given) || given.length === 0) {
    throw new UpstreamMemberFault('needs a list of event types as "events", or none for all')
  }
  if (given.every(isEventType)) return given
  const unknown = given.findIndex((type) => !isEventType(type))
  const name: unknown = given[unknown]
  const meant = typeof name === 'string' ? didYouMean(name, eventTypes) : ''
  throw new UpstreamMemberFault(
    `has no type of events as number ${unknown + 1} of "events"${meant || '; docs/events.md lists them'}`,
  )
}

const webhookOf = (given: unknown, cwd: string): WebhookSettings => {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new UpstreamMemberFault('must be an object')
  }
  const members = membersOf({ ...given }, cwd)
  const webhook = {
    id: idOf(members),
    url: members.url('url'),
    secrets: secretsOf(members),
    events: eventsOf(members),
  }
  members.end()
  return webhook
}

/** The environment gives the list as JSON. */
const webhookList = (given: unknown): readonly unknown[] | null => {
  try {
    const list: unknown = typeof given === 'string' ? JSON.parse(given) : given
    return Array.isArray(list) && list.length <= mostWebhooks ? list : null
  } catch {
    return null
  }
}

const parseWebhooks: Parse<readonly WebhookSettings[]> = (given, cwd) => {
  const list = webhookList(given)
  const expected = `a list of at most ${mostWebhooks} webhooks`
  if (list === null) return { expected: `${expected}, each with "id", "url" and "secret"` }
  const webhooks: WebhookSettings[] = []
  for (const [index, one] of list.entries()) {
    try {
      webhooks.push(webhookOf(one, cwd))
    } catch (fault) {
      if (!(fault instanceof UpstreamMemberFault)) throw fault
      return { expected: `${expected}, but entry ${index + 1} ${fault.message}` }
    }
  }
  const isTwice = new Set(webhooks.map(({ id }) => id)).size < webhooks.length
  return isTwice ? { expected: `${expected}, each with an "id" of its own` } : { value: webhooks }
}

export const webhookSettings: SettingRows<{ webhooks: readonly WebhookSettings[] }> = {
  webhooks: {
    environment: 'LATCHKEY_WEBHOOKS',
    flag: null,
    parse: parseWebhooks,
    fallback: [],
    fallbackText: 'none',
    meaning:
      'Receivers of events, as a list of objects (in the environment as JSON): see monitoring.md.',
    when: 'Another program should hear of logins, approvals and other events.',
    secret: true,
  },
}

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
