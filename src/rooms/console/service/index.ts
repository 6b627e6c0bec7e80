/** The pages of the service: keys, resources, settings and upstreams. Each form can be reached by GET, too: the proof of an operator leads back there. */
import type { RouteRow } from '../../../route.ts'
import type { Console, ConsoleNeeds } from '../visit.ts'
import { openKeys } from './keys.ts'
import { openResources } from './resources.ts'
import { openSettings } from './settings.ts'
import { openUpstreams } from './upstreams.ts'

export const openService = (needs: ConsoleNeeds, entry: Console): readonly RouteRow[] => [
  ...openResources(needs, entry),
  ...openUpstreams(needs, entry),
  ...openKeys(needs, entry),
  openSettings(needs, entry),
]
