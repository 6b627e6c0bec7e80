/** Codes such as `latchkey operator` prints, for a service in this process. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { cliLimits } from '../../src/cli/limits.ts'
import { drawRandom, makeSecret } from '../../src/crypto/digest.ts'
import { sealOperatorCode } from '../../src/rooms/operator-view.ts'
import type { Store } from '../../src/store/store.ts'
import { openNewest } from '../../src/tokens/keys/keyring.ts'
import { vaultOf } from './root.ts'
import type { Started } from './start.ts'

export const operatorCode = async (
  store: Pick<Store, 'listKeys'>,
  rootSecret: string,
  issuer: string,
  at: number,
  expiresAt: number,
): Promise<string> => {
  const key = openNewest(await store.listKeys(), vaultOf(rootSecret), issuer, at)
  return sealOperatorCode({ id: makeSecret('', drawRandom), expiresAt }, key)
}

export const codeFor = async (service: Started): Promise<string> => {
  const secret = await readFile(join(service.folder, 'latchkey.db.key'), 'utf8')
  const at = service.now()
  const expiresAt = at + cliLimits.operatorCodeSeconds
  return operatorCode(service.server().store, secret.trim(), service.issuer, at, expiresAt)
}
