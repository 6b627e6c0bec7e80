/** Codes and tokens under their seals. What they state is in `model/token.ts`. */
import {
  type Keyring,
  readSealed,
  type Sealed,
  type SealedStatement,
  seal,
} from '../crypto/seal.ts'
import {
  type AccessToken,
  accessTokenType,
  type Code,
  codeType,
  type RefreshToken,
  refreshTokenType,
} from '../model/token.ts'

const code: SealedStatement<Code> = { kind: 'lk_ac_', says: codeType }
const refreshToken: SealedStatement<RefreshToken> = { kind: 'lk_rt_', says: refreshTokenType }
const accessToken: SealedStatement<AccessToken> = { kind: 'lk_at_', says: accessTokenType }
const jwtContent: SealedStatement<AccessToken> = { kind: 'jwt', says: accessTokenType }

export const sealCode = (keyring: Keyring, salt: string, says: Code): string =>
  seal(code, keyring.current(), salt, says)

export const readCode = (text: string): Sealed<Code> | null => readSealed(code, text)

export const sealRefreshToken = (keyring: Keyring, salt: string, says: RefreshToken): string =>
  seal(refreshToken, keyring.current(), salt, says)

export const readRefreshToken = (text: string): Sealed<RefreshToken> | null =>
  readSealed(refreshToken, text)

export const sealAccessToken = (keyring: Keyring, salt: string, says: AccessToken): string =>
  seal(accessToken, keyring.current(), salt, says)

export const readAccessToken = (text: string): Sealed<AccessToken> | null =>
  readSealed(accessToken, text)

/** The content of a JWT access token. Its seal makes it end with the row that it is about. */
export const sealJwtContent = (keyring: Keyring, salt: string, says: AccessToken): string =>
  seal(jwtContent, keyring.current(), salt, says)

export const readJwtContent = (text: string): Sealed<AccessToken> | null =>
  readSealed(jwtContent, text)
