/** The applications of an owner: installations that look alike are one of them. */
import type { OwnerId } from '../../model/ids.ts'
import type { ServiceParts } from '../../registries.ts'
import type { ListedAuthorization } from '../../store/store.ts'
import { accountLimits } from './limits.ts'

/** All live authorizations of an owner, the newest first. */
export const listAll = async (
  ownerId: OwnerId,
  at: number,
  { store }: Pick<ServiceParts, 'store'>,
): Promise<readonly ListedAuthorization[]> => {
  const all: ListedAuthorization[] = []
  const { accessesAtOnce } = accountLimits
  for (let after: string | null = null; ; ) {
    const page: Awaited<ReturnType<typeof store.listAuthorizations>> =
      await store.listAuthorizations({ ownerId }, after, accessesAtOnce, at, 'newest first')
    all.push(...page.rows)
    if (page.next === null) return all
    after = page.next
  }
}

/** One application: a single access, or those of all its installations. */
export interface Application {
  readonly newest: ListedAuthorization
  /** The newest first. */
  readonly accesses: readonly ListedAuthorization[]
  /** How many clients they are. */
  readonly installations: number
}

const clientsOf = (accesses: readonly ListedAuthorization[]): number =>
  new Set(accesses.map(({ clientId }) => clientId)).size

const alone = (access: ListedAuthorization): Application => ({
  newest: access,
  accesses: [access],
  installations: 1,
})

/** @param all the newest first */
export const applicationsOf = (all: readonly ListedAuthorization[]): readonly Application[] =>
  [...Map.groupBy(all, ({ id, clientLikeness }) => clientLikeness ?? id).values()].flatMap(
    (accesses) => {
      const installations = clientsOf(accesses)
      const [newest] = accesses
      return newest !== undefined && installations > 1
        ? [{ newest, accesses, installations }]
        : accesses.map(alone)
    },
  )

/** The other accesses of an application: of the same client, or of installations that look like it. */
export const othersOf = (
  { id, clientId, clientLikeness }: Pick<ListedAuthorization, 'id' | 'clientId' | 'clientLikeness'>,
  all: readonly ListedAuthorization[],
): readonly ListedAuthorization[] =>
  all.filter(
    (one) =>
      one.id !== id &&
      (one.clientId === clientId ||
        (clientLikeness !== null && one.clientLikeness === clientLikeness)),
  )

/** How many installations of the application of an access have access, that one included. */
export const installationsOf = (
  access: ListedAuthorization,
  others: readonly ListedAuthorization[],
): number => clientsOf([access, ...others])
