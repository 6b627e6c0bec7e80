/** Tells the log which workers of the database cannot be reached, and why events wait there, once for each change. */
import type { Tell } from '../model/notice.ts'
import type { Store } from '../store/store.ts'
import { listAway } from '../store/workers.ts'

export const watchWorkers = ({ store, tell }: { store: Store; tell: Tell }) => {
  let told = ''
  let toldWait = ''
  const tellWait = async (): Promise<void> => {
    const { eventsWait = '' } = (await store.findWorkers?.()) ?? {}
    if (eventsWait === toldWait) return
    toldWait = eventsWait
    if (eventsWait === '')
      tell({ level: 'info', message: 'events of the workers of the database have come' })
    else tell({ level: 'warn', message: waitMessage, reason: eventsWait })
  }
  return async (): Promise<void> => {
    await tellWait()
    const { workers, shards, of } = await listAway(store)
    const names = workers.map(({ name }) => name).join(', ')
    if (names === told) return
    told = names
    if (names === '')
      tell({ level: 'info', message: 'every worker of the database is reachable again' })
    else tell({ level: 'warn', message: awayMessage, workers: names, shards, shardsOfAll: of })
  }
}

const waitMessage = 'events wait at the workers of the database, so lists and webhooks lack them'

const awayMessage =
  'workers of the database cannot be reached: requests of owners on their shards get 503, and others go on'
