/** Permissions of clients at the service itself. Each is over things of the client alone, so any client may have it. */
import { grantPermissions } from './grant-management/permissions.ts'
import { signalPermissions } from './signals/permissions.ts'

export const clientPermissions = [...grantPermissions, ...signalPermissions] as const
