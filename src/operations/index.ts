/** Every action and every list of operators. The API, its description and the command line derive from the rows. */
import { featureOperations } from '../features/operations.ts'
import { authorizationOperations } from './authorizations.ts'
import { clientChangeOperations } from './client-changes.ts'
import { clientSecretOperations } from './client-secrets.ts'
import { clientOperations } from './clients.ts'
import { eventOperations } from './events.ts'
import { groupMemberOperations } from './group-members.ts'
import { groupOperations } from './groups.ts'
import { keyOperations } from './keys.ts'
import type { DescribedRoute, Operation } from './operation.ts'
import { ownerAccessOperations } from './owner-access.ts'
import { ownerLinkOperations } from './owner-links.ts'
import { ownerOperations } from './owners.ts'
import { refusalOperations } from './refusals.ts'
import { resourceChangeOperations } from './resource-changes.ts'
import { resourceOperations } from './resources.ts'
import { tokenOperations } from './tokens.ts'

const rows: Readonly<Record<string, Operation>> = {
  ...clientOperations,
  ...clientSecretOperations,
  ...clientChangeOperations,
  ...ownerOperations,
  ...ownerAccessOperations,
  ...ownerLinkOperations,
  ...groupOperations,
  ...groupMemberOperations,
  ...resourceOperations,
  ...resourceChangeOperations,
  ...authorizationOperations,
  ...eventOperations,
  ...keyOperations,
  ...tokenOperations,
  ...refusalOperations,
  ...featureOperations,
}

export const operations: readonly (Operation & DescribedRoute)[] = Object.entries(rows).map(
  ([id, row]) => ({ ...row, id }),
)
