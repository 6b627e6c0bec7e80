/** A free port for a service that ends and comes back. */
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Below the ports that a system gives away by itself, since another process could get one in
 * between. Above 10080, the last port that `fetch` refuses to ask. Different for each process,
 * since tests of several files run at once.
 */
let next = 11_000 + ((process.pid * 10) % 20_000)

const isFree = async (port: number): Promise<boolean> => {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch {
    return false
  }
  server.close()
  await once(server, 'close')
  return true
}

/** Never the same one twice. */
export const freePort = async (): Promise<number> => {
  while (!(await isFree(next))) next++
  return next++
}
