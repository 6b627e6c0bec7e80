/**
 * Ceremonies: actions that start on one of our pages and have to finish there, soon and once. In
 * between, a sealed statement in the page holds the state, bound to the browser and its login. The
 * store keeps only the ids of finished ones (decision 0017).
 */
import type { Settings } from '../config/settings.ts'
import { hashText, makeSecret } from '../crypto/digest.ts'
import { type Keyring, openInTime, type SealedStatement, seal } from '../crypto/seal.ts'
import {
  field,
  json,
  list,
  number,
  optional,
  record,
  type Type,
  text,
  type ValueOf,
} from '../model/codec/types.ts'
import type { UpstreamAccount } from '../model/factor.ts'
import type { Random } from '../model/ids.ts'
import type { Session } from '../model/session.ts'
import type { Ceremony } from '../store/contract/factor.ts'
import { ownerLimits } from './limits.ts'
import { deriveCsrfToken, type Visitor } from './session.ts'

/** A login at an upstream, as far as it goes into the session. */
export interface UpstreamLogin {
  readonly account: UpstreamAccount
  readonly methods: Session['methods']
  readonly isStrong: boolean
  readonly authTime: number | null
  /** The URL of a picture, if it is short: the statement is part of a URL. */
  readonly picture?: string
  /** Missing in statements of earlier versions. */
  readonly mapped?: { readonly groups: readonly string[]; readonly roles: readonly string[] }
}

/** A person of an upstream, before there is an owner. */
export interface NewUpstreamOwner extends UpstreamLogin {
  readonly username: string
  /** Whether the username is as it is there. Missing in statements of earlier versions. */
  readonly isWhole?: boolean
  readonly name: string
  readonly email: string
  readonly emailVerified: boolean
  readonly picture: string
}

const nothing: Type<null> = { write() {}, read: () => null }

/** What each kind states; one kind never finishes another. */
const statements = {
  'log in': nothing,
  confirm: nothing,
  /** The password of this owner was right: its digest's digest, so that a new one ends the statement. */
  'second factor': record({
    ownerId: field(1, text()),
    password: field(2, text()),
    /** Where an upstream logged the owner in, instead of the password. */
    upstream: field(3, optional(json<UpstreamLogin>())),
  }),
  'add passkey': nothing,
  /** The secret, base64url: the page shows it, and nothing keeps it until a code was right. */
  'set one-time codes': text(),
  /** The digests of the codes that the page shows. */
  'set recovery codes': list(text()),
  /** On the way to an upstream and back. The state is part of a URL there, so it holds no secret. */
  'log in upstream': record({
    upstream: field(1, text()),
    journey: field(2, text()),
    next: field(3, text()),
  }),
  'link upstream': text(),
  /** To confirm a login, for a page of the account. */
  'confirm upstream': record({ upstream: field(1, text()), next: field(2, text()) }),
  /** An upstream has logged somebody in whom nobody knows here. */
  'new upstream owner': json<NewUpstreamOwner>(),
}

export type CeremonyKind = keyof typeof statements

export type Statements = {
  readonly [Kind in CeremonyKind]: ValueOf<(typeof statements)[Kind]>
}

export interface Begun {
  /** Random; what a passkey signs. */
  readonly id: string
  /** What the page carries. */
  readonly text: string
}

/** Opened again: by the same browser, in the same login, in time. */
interface OpenedCeremony<Kind extends CeremonyKind> {
  readonly ceremony: Ceremony
  readonly states: Statements[Kind]
}

interface Said<Kind extends CeremonyKind> {
  readonly id: string
  readonly expiresAt: number
  readonly states: Statements[Kind]
}

const makeStatement = <Kind extends CeremonyKind>(kind: Kind): SealedStatement<Said<Kind>> => {
  const states = statements[kind] as Type<Statements[Kind]>
  const says = { id: field(1, text()), expiresAt: field(2, number), states: field(3, states) }
  return { kind: 'ceremony', says: record(says) as Type<Said<Kind>> }
}

const deriveSalt = (kind: CeremonyKind, visitor: Visitor): string =>
  hashText(`${kind}\n${deriveCsrfToken(visitor)}`)

export const beginCeremony = <Kind extends CeremonyKind>(
  kind: Kind,
  states: Statements[Kind],
  visitor: Visitor,
  at: number,
  parts: { readonly settings: Settings; readonly keyring: Keyring; readonly random: Random },
): Begun => {
  const id = makeSecret('', parts.random)
  const said = { id, expiresAt: at + ownerLimits.ceremonySeconds, states }
  const salt = deriveSalt(kind, visitor)
  return { id, text: seal(makeStatement(kind), parts.keyring.current(), salt, said) }
}

/** Null where it was begun elsewhere, by or for somebody else, for something else, or too long ago. */
export const openCeremony = async <Kind extends CeremonyKind>(
  kind: Kind,
  text: string,
  visitor: Visitor,
  at: number,
  parts: { readonly keyring: Keyring },
): Promise<OpenedCeremony<Kind> | null> => {
  if (visitor.browser === null) return null
  const salt = deriveSalt(kind, visitor)
  const said = await openInTime(makeStatement(kind), text, salt, at, parts.keyring)
  if (said === null) return null
  const { states, ...ceremony } = said
  return { ceremony, states }
}
