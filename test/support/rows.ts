/** The rows of a service that nobody started: their handlers cannot be called. */
import { loadSettings } from '../../src/config/load.ts'
import { builtIn, type ServiceParts } from '../../src/registries.ts'
import type { RouteRow } from '../../src/route.ts'
import { listRoutes } from '../../src/routes.ts'

const settings = loadSettings({ env: {}, flags: {}, cwd: import.meta.dirname })

export const listRows = (): readonly RouteRow[] => {
  const resources = { list: () => [], words: [] }
  const parts = { settings, languages: [], registries: builtIn, resources }
  return listRoutes(parts as unknown as ServiceParts, async () => [], null)
}
