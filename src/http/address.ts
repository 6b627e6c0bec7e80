/** The address of a request: the peer's, or the one that a trusted proxy reports. */
import { BlockList, isIP } from 'node:net'

/** Headers of a proxy about the sender of a request. */
export const forwardingHeaders = ['x-forwarded-for', 'forwarded', 'x-real-ip'] as const

/** @param ranges addresses or CIDR ranges, checked by the settings */
export const listRanges = (ranges: readonly string[]): BlockList => {
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', bits] = range.split('/')
    // The first `isIP` of an IPv6 address compiles a long expression, which each start would wait for.
    const family = address.includes(':') ? 'ipv6' : 'ipv4'
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return list
}

/** An IPv4 address as itself, where it came over IPv6. */
export const unwrapAddress = (address: string): string =>
  address.startsWith(':') ? address.replace(/^::ffff:(?=\d+\.)/i, '') : address

export const isTrusted = (proxies: BlockList, address: string): boolean => {
  const version = isIP(address)
  return version !== 0 && proxies.check(address, version === 6 ? 'ipv6' : 'ipv4')
}

/** `1.2.3.4:567`, `[2001:db8::1]:567` and `[2001:db8::1]`, as some gateways write a hop. */
const withPort = /^(?:(\d+\.\d+\.\d+\.\d+):\d{1,5}|\[([^[\]]+)\](?::\d{1,5})?)$/

/** The address of a hop without its port, or null where there is none. */
const parseHop = (hop: string): string | null => {
  const [, ipv4, ipv6] = withPort.exec(hop) ?? []
  const text = ipv4 ?? ipv6 ?? hop
  if (isIP(text) === 0 || (ipv6 !== undefined && isIP(text) !== 6)) return null
  return unwrapAddress(text)
}

/**
 * Walks `X-Forwarded-For` from the right while the hop is a trusted proxy. Nobody vouches for the
 * entries further left.
 *
 * @param tellUnreadable gets a hop of a trusted proxy that is no address
 */
export const readAddress = (
  peer: string,
  forwarded: string | null,
  proxies: BlockList,
  tellUnreadable: (hop: string, proxy: string) => void = () => {},
): string => {
  let address = unwrapAddress(peer)
  if (forwarded === null) return address
  const hops = forwarded.split(',')
  while (hops.length > 0 && isTrusted(proxies, address)) {
    const hop = (hops.pop() ?? '').trim()
    const next = parseHop(hop)
    if (next === null) {
      tellUnreadable(hop, address)
      return address
    }
    address = next
  }
  return address
}

/** The eight groups of an IPv6 address. */
export const parseGroups = (address: string): readonly number[] => {
  // The last two groups may be written as an IPv4 address.
  const text = address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, ...bytes: string[]) => {
    const [a = 0, b = 0, c = 0, d = 0] = bytes.map(Number)
    return `${formatHex(a * 256 + b)}:${formatHex(c * 256 + d)}`
  })
  const [head = '', tail = ''] = text.split('::')
  const numbers = (part: string): readonly number[] =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16))
  const [left, right] = [numbers(head), numbers(tail)]
  return [...left, ...Array<number>(8 - left.length - right.length).fill(0), ...right]
}

const formatHex = (group: number): string => group.toString(16)

const listHexGroups = (address: string, groups: number): readonly string[] =>
  parseGroups(address).slice(0, groups).map(formatHex)

/**
 * The key of limits by address: an IPv4 address, or the /64 of an IPv6 one, since one host has all
 * of it.
 */
export const getAddressKey = (address: string): string =>
  isIP(address) === 6 ? `${listHexGroups(address, 4).join(':')}::/64` : address

/** A network that wrong tries are counted by. */
export interface CountedNetwork {
  readonly key: string
  /** Length of the prefix: 32 for a whole IPv4 address. */
  readonly bits: 32 | 48 | 56 | 64
}

/**
 * The networks that count wrong tries: an IPv4 address; for IPv6 the /64, /56 and /48, since a site
 * has 65,536 networks of /64.
 */
export const listNetworks = (address: string): readonly CountedNetwork[] => {
  if (isIP(address) !== 6) return [{ key: address, bits: 32 }]
  const [first = '', second = '', third = '', fourth = ''] = listHexGroups(address, 4)
  const site = [first, second, third].join(':')
  const half = formatHex(Number.parseInt(fourth, 16) & 0xff00)
  return [
    { key: `${site}:${fourth}::/64`, bits: 64 },
    { key: `${site}:${half}::/56`, bits: 56 },
    { key: `${site}::/48`, bits: 48 },
  ]
}

/**
 * The part of an address that is kept. Owners can recognise it, and it traces nobody:
 * `203.0.113.*`, or the /48 of an IPv6 address as `2001:db8:1:*`; '' without an address.
 */
export const getNetwork = (address: string): string => {
  const version = isIP(address)
  if (version === 0) return ''
  if (version === 6) return `${listHexGroups(address, 3).join(':')}:*`
  return `${address.slice(0, address.lastIndexOf('.') + 1)}*`
}

/**
 * The keys of registration quotas, the narrowest first: the /24 of an IPv4 address; of an IPv6 one
 * the /64, /56 and /48.
 */
export const listRegistrationNetworks = (
  address: string,
): readonly { readonly key: string; readonly bits: 24 | 48 | 56 | 64 }[] =>
  listNetworks(address).map(({ key, bits }) =>
    bits === 32 ? { key: key.replace(/\d+$/, '0/24'), bits: 24 } : { key, bits },
  )
