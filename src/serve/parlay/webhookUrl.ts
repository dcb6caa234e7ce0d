import { BlockList, isIP } from 'node:net'

/** Networks of IPv4 that are not the open internet (RFC 6890 and its registry). */
const PRIVATE_V4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8], ['10.0.0.0', 8], ['100.64.0.0', 10], ['127.0.0.0', 8], ['169.254.0.0', 16], ['172.16.0.0', 12], ['192.0.0.0', 24],
  ['192.0.2.0', 24], ['192.88.99.0', 24], ['192.168.0.0', 16], ['198.18.0.0', 15], ['198.51.100.0', 24], ['203.0.113.0', 24],
  ['224.0.0.0', 4], ['240.0.0.0', 4],
]
/** Networks inside of the global unicast of IPv6 that lead elsewhere: documentation, Teredo, 6to4, benchmarks, ORCHID. */
const PRIVATE_V6: readonly (readonly [string, number])[] = [
  ['2001::', 23], ['2001:db8::', 32], ['2002::', 16], ['3fff::', 20],
]

const closed = new BlockList()
for (const [network, bits] of PRIVATE_V4) closed.addSubnet(network, bits, 'ipv4')
for (const [network, bits] of PRIVATE_V6) closed.addSubnet(network, bits, 'ipv6')
/** Everything else in IPv6 is local, reserved or multicast, or holds an address of IPv4. */
const globalV6 = new BlockList()
globalV6.addSubnet('2000::', 3, 'ipv6')

/** Whether an address is not one of the open internet. A text that is no address counts as such. */
export function isPrivateAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4: return closed.check(address, 'ipv4')
    case 6: return !globalV6.check(address, 'ipv6') || closed.check(address, 'ipv6')
    default: return true
  }
}

/** Last labels of names that resolve inside of a network only. */
const PRIVATE_NAMES = ['localhost', 'local', 'internal', 'intranet', 'lan', 'home', 'corp', 'private']

function isPrivateHost(host: string): boolean {
  const name = host.replace(/\.$/, '').toLowerCase()
  const address = name.replace(/^\[(.*)\]$/, '$1')
  if (isIP(address) !== 0) return isPrivateAddress(address)
  const labels = name.split('.')
  return labels.length < 2 || PRIVATE_NAMES.includes(labels.at(-1)!) || name.endsWith('.home.arpa')
}

export interface WebhookUrlRule {
  /** Lets plain HTTP and private networks through, for receivers on the machine itself. */
  readonly allowsLocal: boolean
}

/** Why no webhook may go to a URL, as far as its text tells, or null (PQ-234, PQ-235). Its address is checked at delivery. */
export function faultOfWebhookUrl(text: string, { allowsLocal }: WebhookUrlRule): string | null {
  if (!URL.canParse(text)) return 'a URL is expected'
  const { protocol, hostname, username, password } = new URL(text)
  if (protocol !== 'https:' && !(allowsLocal && protocol === 'http:')) return 'a URL that begins with https:// is expected'
  if (username !== '' || password !== '') return 'a URL without a user and a password is expected'
  return !allowsLocal && isPrivateHost(hostname) ? 'a URL outside of private networks is expected' : null
}

/** Whether a delivery may connect to the address that a URL's name resolved to at that time (PQ-235). */
export const mayDeliverTo = (address: string, { allowsLocal }: WebhookUrlRule): boolean => allowsLocal || !isPrivateAddress(address)
