/** The secret of a client. */
import { equalDigests, hashText, makeSecret } from '../crypto/digest.ts'
import { getClientSecretPurpose, type Vault } from '../crypto/wrap.ts'
import type { Client } from '../model/client.ts'
import type { Random } from '../model/ids.ts'
import type { Tell } from '../model/notice.ts'

/** A new secret of a client; shown once. */
export const makeClientSecret = ({ random }: { readonly random: Random }): string =>
  makeSecret('lk_cs_', random)

/** Only a digest is kept, so no secret may be one that can be guessed. */
export const chosenSecretForm =
  '32 to 200 visible ASCII characters, with 10 different ones at least'

/** Whether an operator may bring this secret from another server. */
export const isChosenSecret = (text: string): boolean =>
  /^[!-~]{32,200}$/.test(text) && new Set(text).size >= 10

/** What is kept of a secret. The sealed form stays only with a client whose method needs it. */
export type KeptOfSecret = Readonly<
  Record<'secretDigest', NonNullable<Client['secretDigest']>> & Record<'sealedSecret', string>
>

export const sealSecret = (
  secret: string,
  { id }: Pick<Client, 'id'>,
  { vault }: { readonly vault: Vault },
): KeptOfSecret => ({
  secretDigest: hashText(secret),
  sealedSecret: vault.wrap(Buffer.from(secret), getClientSecretPurpose(id)),
})

/**
 * The secret itself. Null where it cannot be opened, or is not the one of the digest.
 *
 * @param digest what the client counts as its secret
 */
export const openSealedSecret = (
  sealed: string,
  digest: string,
  { id }: Pick<Client, 'id'>,
  { vault, tell }: { readonly vault: Vault; readonly tell: Tell },
): string | null => {
  const bytes = vault.unwrap(sealed, getClientSecretPurpose(id))
  if (bytes === null) {
    const message = 'the secret of a client was sealed under another root secret'
    tell({ level: 'error', message, clientId: id })
    return null
  }
  const secret = Buffer.from(bytes).toString()
  return equalDigests(hashText(secret), digest) ? secret : null
}
