/** The applications of an owner: installations that look alike are one of them. */
import { limits } from '../../config/limits.ts'
import type { OwnerId } from '../../model/ids.ts'
import type { Parts } from '../../parts.ts'
import type { ListedAuthorization } from '../../store/store.ts'

/** All live authorizations of an owner, the newest first. */
export const listAll = async (
  ownerId: OwnerId,
  at: number,
  { store }: Pick<Parts, 'store'>,
): Promise<readonly ListedAuthorization[]> => {
  const all: ListedAuthorization[] = []
  for (let after: string | null = null; ; ) {
    const page: Awaited<ReturnType<typeof store.listAuthorizations>> =
      await store.listAuthorizations({ ownerId }, after, limits.pageRows, at, 'newest first')
    all.push(...page.rows)
    if (page.next === null) return all
    after = page.next
  }
}

/** One application: a single access, or those of all its installations. */
export interface Application {
  /** The newest first. */
  readonly accesses: readonly ListedAuthorization[]
  /** How many clients they are. */
  readonly installations: number
}

const clientsOf = (accesses: readonly ListedAuthorization[]): number =>
  new Set(accesses.map(({ clientId }) => clientId)).size

/** In the order of the newest access of each. */
export const applicationsOf = (all: readonly ListedAuthorization[]): readonly Application[] => {
  const alike = [...Map.groupBy(all, ({ id, clientLikeness }) => clientLikeness ?? id).values()]
  return alike
    .flatMap((accesses): readonly Application[] => {
      const installations = clientsOf(accesses)
      return installations > 1
        ? [{ accesses, installations }]
        : accesses.map((access) => ({ accesses: [access], installations }))
    })
    .toSorted((a, b) => (headOf(a) < headOf(b) ? 1 : -1))
}

const headOf = ({ accesses }: Application): string => accesses[0]?.id ?? ''

/** A page of them. If nothing is left after an earlier page: from the beginning. */
export const pageOfApplications = (applications: readonly Application[], after: string | null) => {
  const later = after === null ? [] : applications.filter((one) => headOf(one) < after)
  const from = later.length === 0 ? applications : later
  const rows = from.slice(0, limits.pageRows)
  const last = rows.at(-1)
  return {
    rows,
    after: later.length === 0 ? null : after,
    next: last !== undefined && rows.length < from.length ? headOf(last) : null,
  }
}
