/**
 * Cached standings, in two parts: the family of a token, and the ground that all families under one
 * authorization share. Expiry is judged at each use. The ground of an authorization for one visit
 * is not cached, since it ends with its session.
 */
import type { Authorization, Family, Standing } from '../../model/authorization.ts'
import type { AuthorizationId, FamilyId } from '../../model/ids.ts'
import type { Rotation } from '../contract/family.ts'
import type { Marks } from './marks.ts'
import { Remembered } from './remembered.ts'
import { getEndingsKey, getFamilyKey, listAuthorizationKeys } from './things.ts'

interface Ground {
  readonly authorization: Authorization
  /** Null where the authorization was read alone. */
  readonly others: Omit<Standing, 'family' | 'authorization'> | null
}

export class Standings {
  readonly #families: Remembered<Family>
  readonly #grounds: Remembered<Ground>
  #purgedTo = 0

  constructor(marks: Marks, bytes: Readonly<Record<'families' | 'authorizations', number>>) {
    this.#families = new Remembered(marks, bytes.families)
    this.#grounds = new Remembered(marks, bytes.authorizations)
  }

  find(id: FamilyId, now: number): Standing | null {
    const family = this.#families.find(id)
    if (family === undefined || !this.#lives(family, now)) return null
    const ground = this.#findGround(family.authorizationId, now)
    if (ground === null || ground.others === null) return null
    const { authorization, others } = ground
    return { family, authorization, ...others }
  }

  /**
   * The family of a current refresh token while all it depends on is in force. The writer takes
   * steps in their order, so no later step comes before a rotation that was begun with this.
   */
  findCurrent({ familyId, salt, generation }: Rotation, now: number): Family | null {
    const standing = this.find(familyId, now)
    if (standing === null) return null
    const { family, authorization } = standing
    const isCurrent = authorization.salt === salt && family.generation === generation
    return isCurrent && authorization.paused === null ? family : null
  }

  findAuthorization(id: AuthorizationId, now: number): Authorization | null {
    return this.#findGround(id, now)?.authorization ?? null
  }

  remember({ family, authorization, ...others }: Standing): void {
    if (others.isDisabled || !this.#families.expects(family.id)) return
    this.#keepFamily(family)
    this.#keepGround({ authorization, others })
  }

  rememberFamily(family: Family): void {
    if (this.#families.expects(family.id)) this.#keepFamily(family)
  }

  rememberAuthorization(authorization: Authorization): void {
    if (this.#grounds.expects(authorization.id)) this.#keepGround({ authorization, others: null })
  }

  /** Expired rows may be purged from now on. */
  purge(now: number): void {
    this.#purgedTo = Math.max(this.#purgedTo, now)
  }

  #lives({ expiresAt }: { readonly expiresAt: number | null }, now: number): boolean {
    return expiresAt === null || expiresAt > Math.max(now, this.#purgedTo)
  }

  #findGround(id: AuthorizationId, now: number): Ground | null {
    const ground = this.#grounds.find(id)
    return ground !== undefined && this.#lives(ground.authorization, now) ? ground : null
  }

  #keepFamily(family: Family): void {
    const { id, hasEndings } = family
    const things = hasEndings ? [getFamilyKey(id)] : [getFamilyKey(id), getEndingsKey(id)]
    this.#families.keep(id, family, things)
  }

  #keepGround(ground: Ground): void {
    const { authorization } = ground
    if (authorization.sessionId !== null) return
    this.#grounds.keep(authorization.id, ground, listAuthorizationKeys(authorization))
  }
}
