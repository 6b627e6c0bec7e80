/** The addresses of a host name: from the hosts file of this machine, else from DNS. */
import { Resolver } from 'node:dns/promises'
import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { httpLimits } from './limits.ts'

/** Resolves to no address for a name that nobody knows. */
export type Resolve = (host: string, signal: AbortSignal) => Promise<readonly string[]>

const hostsFile =
  process.platform === 'win32' ? 'C:\\Windows\\System32\\drivers\\etc\\hosts' : '/etc/hosts'

/** @param hosts the text of a hosts file */
export const addressesIn = (hosts: string, host: string): readonly string[] =>
  hosts.split('\n').flatMap((line) => {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/)
    return isIP(address) !== 0 && names.some((name) => name.toLowerCase() === host) ? [address] : []
  })

const fromDns: Resolve = async (host, signal) => {
  const resolver = new Resolver({ timeout: httpLimits.outbound.dnsMilliseconds, tries: 2 })
  const cancel = (): void => resolver.cancel()
  signal.addEventListener('abort', cancel)
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  signal.removeEventListener('abort', cancel)
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
}

/**
 * Not `dns.lookup`: it holds one of the four pool threads as long as a name server takes. These
 * threads also hash passwords, and strangers choose the name server.
 */
export const systemResolve: Resolve = async (host, signal) => {
  const found = addressesIn(await readFile(hostsFile, 'utf8').catch(() => ''), host)
  return found.length > 0 ? found : fromDns(host, signal)
}
