/** What codes and tokens state, and how it is written under their seals. */
import { readScope } from '../access/permission.ts'
import { readSealed, type Sealed, type SealKind, seal } from '../crypto/seal.ts'
import type { AuthorizationId, ClientId, Digest, FamilyId } from '../model/ids.ts'
import type { Permissions } from '../model/resource.ts'
import type { Parts } from '../parts.ts'

/** An authorization code (RFC 6749 section 4.1.2). */
export interface Code {
  /** The id of the family that redeeming it begins. */
  readonly familyId: FamilyId
  readonly authorizationId: AuthorizationId
  readonly clientId: ClientId
  readonly redirectUri: Digest
  /** Made of the PKCE challenge and the salt; null where there was no challenge. */
  readonly hiddenChallenge: Digest | null
  readonly permissions: Permissions
  readonly issuedAt: number
}

/** A refresh token: names a generation of its family and what the family was granted. */
export interface RefreshToken {
  readonly familyId: FamilyId
  readonly generation: number
  /** What its owner has left of the grant. */
  readonly permissions: Permissions
  /** The whole of the grant: to ask for it again is no fault, though some of it was taken back. */
  readonly originally: Permissions
  readonly issuedAt: number
  readonly expiresAt: number
}

/** An access token, of a family or of a client itself. */
export interface AccessToken {
  readonly of:
    | { readonly familyId: FamilyId; readonly generation: number }
    | { readonly clientId: ClientId; readonly nonce: string }
  readonly permissions: Permissions
  readonly issuedAt: number
  readonly expiresAt: number | null
}

/** A statement that was read but whose seal still has to be checked against a salt. */
export interface PresentedSeal<Statement> {
  readonly sealed: Sealed
  readonly says: Statement
}

const number = (value: number | null): string => (value === null ? '' : value.toString(36))
const readNumber = (text: string | undefined): number => Number.parseInt(text ?? '', 36)

/** A field holds no `~`, and a client id no line break. */
const fieldOf = (id: ClientId): string => id.replaceAll('~', '\n')
const readClientId = (field = ''): ClientId => field.replaceAll('\n', '~') as ClientId

const write = (
  parts: Pick<Parts, 'keyring'>,
  kind: SealKind,
  salt: string,
  fields: readonly string[],
): string => seal(kind, parts.keyring.current(), salt, fields)

export const sealCode = (parts: Pick<Parts, 'keyring'>, salt: string, code: Code): string =>
  write(parts, 'lk_ac_', salt, [
    code.familyId,
    code.authorizationId,
    fieldOf(code.clientId),
    code.redirectUri,
    code.hiddenChallenge ?? '',
    number(code.issuedAt),
    code.permissions.join(' '),
  ])

export const readCode = (text: string): PresentedSeal<Code> | null => {
  const sealed = readSealed('lk_ac_', text)
  if (sealed === null) return null
  const [familyId, authorizationId, clientId, redirectUri, hidden, issuedAt, scope] = sealed.fields
  return {
    sealed,
    says: {
      familyId: familyId as FamilyId,
      authorizationId: authorizationId as AuthorizationId,
      clientId: readClientId(clientId),
      redirectUri: redirectUri as Digest,
      hiddenChallenge: hidden === '' ? null : (hidden as Digest),
      issuedAt: readNumber(issuedAt),
      permissions: readScope(scope ?? ''),
    },
  }
}

export const sealRefreshToken = (
  parts: Pick<Parts, 'keyring'>,
  salt: string,
  token: RefreshToken,
): string =>
  write(parts, 'lk_rt_', salt, [
    token.familyId,
    number(token.generation),
    number(token.issuedAt),
    number(token.expiresAt),
    token.permissions.join(' '),
    ...(token.originally.length > token.permissions.length ? [token.originally.join(' ')] : []),
  ])

export const readRefreshToken = (text: string): PresentedSeal<RefreshToken> | null => {
  const sealed = readSealed('lk_rt_', text)
  if (sealed === null) return null
  const [familyId, generation, issuedAt, expiresAt, scope = '', whole = scope] = sealed.fields
  return {
    sealed,
    says: {
      familyId: familyId as FamilyId,
      generation: readNumber(generation),
      issuedAt: readNumber(issuedAt),
      expiresAt: readNumber(expiresAt),
      permissions: readScope(scope),
      originally: readScope(whole),
    },
  }
}

export const sealAccessToken = (
  parts: Pick<Parts, 'keyring'>,
  salt: string,
  token: AccessToken,
): string =>
  write(parts, 'lk_at_', salt, [
    ...('familyId' in token.of
      ? ['f', token.of.familyId, number(token.of.generation)]
      : ['c', fieldOf(token.of.clientId), token.of.nonce]),
    number(token.issuedAt),
    number(token.expiresAt),
    token.permissions.join(' '),
  ])

export const readAccessToken = (text: string): PresentedSeal<AccessToken> | null => {
  const sealed = readSealed('lk_at_', text)
  if (sealed === null) return null
  const [kind, subject, which, issuedAt, expiresAt, scope] = sealed.fields
  return {
    sealed,
    says: {
      of:
        kind === 'f'
          ? { familyId: subject as FamilyId, generation: readNumber(which) }
          : { clientId: readClientId(subject), nonce: which ?? '' },
      permissions: readScope(scope ?? ''),
      issuedAt: readNumber(issuedAt),
      expiresAt: expiresAt === '' ? null : readNumber(expiresAt),
    },
  }
}

/** Names an access token among the endings: its family and generation, or its own nonce. */
export const tokenIdOf = (token: AccessToken): string =>
  'familyId' in token.of ? `${token.of.familyId}.${token.of.generation}` : token.of.nonce
