/** The addresses for outbound requests: those of a host name, and which of them may be reached. */
import { Resolver } from 'node:dns/promises'
import { readFile } from 'node:fs/promises'
import { type BlockList, isIP } from 'node:net'
import { listRanges, parseGroups } from './address.ts'
import { httpLimits } from './limits.ts'

export interface ReachRule {
  /** Whether this machine may be reached, also over plain http: in the demo only. */
  readonly loopback: boolean
  /** Further addresses or CIDR ranges, checked by the settings. None for URLs of strangers. */
  readonly allowed: readonly string[]
}

/** `loopback` allows plain http, `open` asks for https. */
export type Reach = 'open' | 'loopback' | 'closed'

const loopback = listRanges(['127.0.0.0/8', '::1'])

/**
 * What is not public (the IANA registries of special-purpose addresses). The last one is public by
 * its number, and answers virtual machines of Azure with their secrets.
 */
const closedIpv4 = listRanges([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '168.63.129.16',
])

/** Of IPv6, only this is public, less what follows: Teredo and the like, documentation, 6to4. */
const globalIpv6 = listRanges(['2000::/3'])
const closedIpv6 = listRanges(['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'])

const hasAddress = (list: BlockList, address: string): boolean =>
  list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')

/** IPv4-mapped addresses (RFC 4291) and those of NAT64 (RFC 6052) lead to an IPv4 address. */
const leadingToIpv4 = ['0,0,0,0,0,65535', '100,65435,0,0,0,0']

/** The address behind all translations; null if it is no address. */
const findReached = (address: string): string | null => {
  const version = isIP(address)
  if (version === 4) return address
  if (version === 0 || address.includes('%')) return null
  const groups = parseGroups(address)
  if (!leadingToIpv4.includes(groups.slice(0, 6).join())) return address
  return groups
    .slice(6)
    .flatMap((group) => [group >> 8, group & 255])
    .join('.')
}

const isPublic = (address: string): boolean =>
  isIP(address) === 4
    ? !hasAddress(closedIpv4, address)
    : hasAddress(globalIpv6, address) && !hasAddress(closedIpv6, address)

export const createReach = (rule: ReachRule): ((address: string) => Reach) => {
  const allowed = listRanges(rule.allowed)
  return (given) => {
    const address = findReached(given)
    if (address === null) return 'closed'
    if (rule.loopback && hasAddress(loopback, address)) return 'loopback'
    return isPublic(address) || hasAddress(allowed, address) ? 'open' : 'closed'
  }
}

/** Resolves to no address for a name that nobody knows. */
export type Resolve = (host: string, signal: AbortSignal) => Promise<readonly string[]>

const hostsFile =
  process.platform === 'win32' ? 'C:\\Windows\\System32\\drivers\\etc\\hosts' : '/etc/hosts'

/** @param hosts the text of a hosts file */
export const listAddresses = (hosts: string, host: string): readonly string[] =>
  hosts.split('\n').flatMap((line) => {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/)
    return isIP(address) !== 0 && names.some((name) => name.toLowerCase() === host) ? [address] : []
  })

const askDns: Resolve = async (host, signal) => {
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
export const resolveHost: Resolve = async (host, signal) => {
  const found = listAddresses(await readFile(hostsFile, 'utf8').catch(() => ''), host)
  return found.length > 0 ? found : askDns(host, signal)
}
