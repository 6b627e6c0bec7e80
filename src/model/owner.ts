/** A resource owner: a person who has things and lets clients reach some of them. */
import type { OwnerId } from './ids.ts'

/** An owner as it is stored. */
export interface Owner {
  readonly id: OwnerId
  /** As the owner writes it. */
  readonly username: string
  readonly name: string
  readonly email: string
  /** An argon2id hash in PHC form. */
  readonly passwordHash: string
  /** Unix seconds; 0 = never. */
  readonly passwordChangedAt: number
  readonly disabled: boolean
  readonly createdAt: number
}

/** What the operator may change of an owner. */
export type OwnerChange = Partial<Pick<Owner, 'name' | 'email' | 'disabled'>>

/**
 * The form for comparing and counting usernames: NFKC, lower case. So a person has one name and one
 * counter, however it is typed.
 */
export const usernameKey = (username: string): string =>
  username.normalize('NFKC').toLowerCase().normalize('NFKC')
