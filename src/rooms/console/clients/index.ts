/** The pages of applications. Each form can be reached by GET, too: the proof of an operator leads back there. */
import type { RouteRow } from '../../../route.ts'
import type { Console, ConsoleNeeds } from '../visit.ts'
import { openClient } from './client.ts'
import { openClientForm } from './client-form.ts'
import { openClientList } from './clients.ts'
import { openKinds } from './kinds/index.ts'
import { openTrial } from './trial.ts'

export const openClients = (needs: ConsoleNeeds, entry: Console): readonly RouteRow[] => [
  openClientList(needs, entry),
  ...openClientForm(needs, entry),
  ...openKinds(needs, entry),
  ...openClient(needs, entry),
  ...openTrial(needs, entry),
]
