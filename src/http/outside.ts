/** The host outside of the running code, for a fault that nobody caught. */
import { AsyncLocalStorage } from 'node:async_hooks'

const hosts = new AsyncLocalStorage<string>()

/** Runs the work; all that its sockets call back later counts as work for this host. */
export const runForHost = <Done>(host: string, work: () => Done): Done => hosts.run(host, work)

/** Null for work that is about no host outside. */
export const findHost = (): string | null => hosts.getStore() ?? null
