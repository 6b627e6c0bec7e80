/**
 * The terms: all that an approval passes on to its codes and tokens. Each member is one row here. The row
 * says how to write it, which statements carry it, and how its value is read (decision 50).
 */
import {
  field,
  flag,
  id,
  json,
  list,
  number,
  optional,
  type RecordField,
  type RecordOf,
  record,
  type Type,
  text,
  texts,
  word,
} from './codec/types.ts'
import type { Detail } from './detail.ts'
import type { AuthorizationId, ClientId, ClientSession, FamilyId } from './ids.ts'
import type { Permissions, ScopeName } from './resource.ts'
import type { ScopeWord } from './scope-word.ts'
import {
  type AuthenticationMethodReference,
  authenticationMethods,
  deriveContext,
} from './session.ts'

/** The statements that carry terms. */
export type Carrier = 'code' | 'access token' | 'refresh token'

/** The parameters of an authorization request; an empty one is absent. */
interface AskedWith {
  find(name: string): string | null
}

/** The login in which an owner approved. */
export interface ApprovedIn {
  /** `auth_time`, in unix seconds. */
  readonly authTime: number
  /** `amr` */
  readonly methods: readonly AuthenticationMethodReference[]
  readonly session: ClientSession
}

interface TermRow<Value> extends RecordField<Value> {
  readonly in: readonly Carrier[]
  /** Takes the value from the request. */
  readonly ask?: (parameters: AskedWith) => Value
  /** Takes the value from the login. */
  readonly login?: (login: ApprovedIn) => Value
}

const define = <Value>(
  number: number,
  type: Type<Value>,
  carriers: readonly Carrier[],
  from: Pick<TermRow<Value>, 'ask' | 'login'> = {},
): TermRow<Value> => ({ ...field(number, type), in: carriers, ...from })

const everywhere: readonly Carrier[] = ['code', 'access token', 'refresh token']
const whereItLasts: readonly Carrier[] = ['code', 'refresh token']

const confirmationFields = { method: field(1, text()), value: field(2, text()) }

const claimsFields = {
  /** Names, told at `/userinfo`. */
  userinfo: field(1, texts()),
  /** Names, told in ID tokens. */
  idToken: field(2, texts()),
  /** Words that only single claims asked for: nothing else of them is told. */
  alone: field(3, texts<ScopeWord>()),
  /** The requested `acr` that the login reached. Null: the highest one. */
  context: field(4, optional(text())),
}

/** A token that was exchanged: all that is needed to look it up at each use. */
const exchangedFields = {
  familyId: field(1, id<FamilyId>()),
  generation: field(2, number),
  authorizationId: field(3, id<AuthorizationId>()),
  clientId: field(4, id<ClientId>()),
  issuedAt: field(5, number),
  /** Null = unlimited. */
  expiresAt: field(6, optional(number)),
}

const rows = {
  /** Permissions, and words such as `openid`. */
  permissions: define(1, texts<ScopeName>(), everywhere),
  /** The resources that a token is for (`aud`). Empty: those of its permissions. */
  audience: define(2, texts(), everywhere),
  /** When the owner logged in (`auth_time`), in unix seconds. Null: no login was seen. */
  authTime: define(3, optional(number), everywhere, { login: ({ authTime }) => authTime }),
  /** How the owner logged in (`amr`). */
  methods: define(4, list(word(authenticationMethods)), everywhere, {
    login: ({ methods }) => methods,
  }),
  /** The login session, as this client alone knows it (`sid`). */
  session: define(5, optional(text<ClientSession>()), whereItLasts, {
    login: ({ session }) => session,
  }),
  /** The key that a token is bound to (`cnf`). A request names the key of its code (RFC 9449 section 10). */
  confirmation: define(6, optional(record(confirmationFields)), everywhere, {
    ask: (parameters) => {
      const jkt = parameters.find('dpop_jkt')
      return jkt === null ? null : { method: 'jkt', value: jkt }
    },
  }),
  /** Ties an ID token to its request (OpenID Connect Core section 3.1.2.1). */
  nonce: define(7, optional(text()), ['code'], {
    ask: (parameters) => parameters.find('nonce'),
  }),
  /** `authorization_details` (RFC 9396 section 2) */
  details: define(8, list(json<Detail>()), everywhere),
  /** Single claims that the request asked for (OpenID Connect Core section 5.5). Null: none. */
  claims: define(10, optional(record(claimsFields)), everywhere),
  /** The tokens that this one was exchanged for, the nearest first (RFC 8693). Empty: none. */
  exchanged: define(11, list(record(exchangedFields)), ['access token']),
  /** Whether the client manages the grant, so that it is told the id (Grant Management section 5.4). */
  isGrant: define(12, flag, whereItLasts),
}

type TermRows = typeof rows

export interface Terms extends RecordOf<TermRows> {}
/** The key of a token: the member of `cnf` that names it, and its value (RFC 7800 section 3). */
export type Confirmation = NonNullable<Terms['confirmation']>
export type ExchangedToken = Terms['exchanged'][number]
/** Single claims of a request, as the terms carry them. */
export type ClaimTerms = NonNullable<Terms['claims']>

export const noClaimTerms: ClaimTerms = { userinfo: [], idToken: [], alone: [], context: null }

/** The `acr` that clients and APIs are told. */
export const getContext = ({ claims, methods }: Pick<Terms, 'claims' | 'methods'>): string =>
  claims?.context ?? deriveContext({ methods })

/** The permissions, the details and the audience of a token. */
export type Extent = Pick<Terms, 'permissions' | 'details' | 'audience'>

/** All but the permissions, which each step narrows by its own rules. */
export type OtherTerms = Omit<Terms, 'permissions'>

/** The type of the terms in one kind of statement. Members that it does not carry are read as absent. */
export const makeTermsType = (carrier: Carrier): Type<Terms> => {
  const carried = Object.entries(rows).filter(([, { in: carriers }]) => carriers.includes(carrier))
  return record(Object.fromEntries(carried) as TermRows, rows)
}

const sources: readonly (readonly [string, TermRow<unknown>])[] = Object.entries(rows)

const absent = Object.fromEntries(
  sources.map(([name, { type }]) => [name, type.absent]),
) as unknown as OtherTerms

/** Terms with these permissions. Other members are absent unless given. */
export const fillTerms = (permissions: Permissions, others: Partial<OtherTerms> = {}): Terms => ({
  ...absent,
  ...others,
  permissions,
})

/** The members that come from the request, as they are there. */
export const readAskedTerms = (parameters: AskedWith): Partial<OtherTerms> =>
  Object.fromEntries(
    sources.flatMap(([name, { ask }]) => (ask === undefined ? [] : [[name, ask(parameters)]])),
  )

/** The members that come from the login. */
export const readLogin = (login: ApprovedIn): Partial<OtherTerms> =>
  Object.fromEntries(
    sources.flatMap(([name, row]) => (row.login === undefined ? [] : [[name, row.login(login)]])),
  )
