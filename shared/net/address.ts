/**
 * Decides which addresses are on the public internet. Refused are all that are not globally reachable by the
 * IANA special-purpose address registries (RFC 6890 and its updates), and public addresses that clouds use
 * for internal services.
 */
import { pushAll } from '../push-all.ts'

interface AddressRange {
  readonly network: Uint8Array
  readonly bits: number
}
const range = (network: string, bits: number): AddressRange => ({ network: parseAddress(network)!, bits })

const refused4: readonly AddressRange[] = [
  range('0.0.0.0', 8), // this network
  range('10.0.0.0', 8), // private
  range('100.64.0.0', 10), // carrier-grade NAT; one cloud has its metadata service there
  range('127.0.0.0', 8), // loopback
  range('168.63.129.16', 32), // wire server of a cloud: a public address with an internal service
  range('169.254.0.0', 16), // link-local, and metadata of most clouds
  range('172.16.0.0', 12), // private
  range('192.0.0.0', 24), // protocol assignments
  range('192.0.2.0', 24), // documentation
  range('192.31.196.0', 24), // AS112
  range('192.52.193.0', 24), // AMT
  range('192.88.99.0', 24), // 6to4 relays, deprecated
  range('192.168.0.0', 16), // private
  range('192.175.48.0', 24), // AS112
  range('198.18.0.0', 15), // benchmarks
  range('198.51.100.0', 24), // documentation
  range('203.0.113.0', 24), // documentation
  range('224.0.0.0', 4), // multicast
  range('240.0.0.0', 4), // reserved, broadcast
]

/** Refused ranges inside 2000::/3. Everything outside it is refused anyway. */
const refused6: readonly AddressRange[] = [
  range('2001::', 23), // protocol assignments, Teredo among them
  range('2001:db8::', 32), // documentation
  range('2620:4f:8000::', 48), // AS112
  range('3fff::', 20), // documentation
]

/** Ranges that embed an IPv4 address at byte `at`. Packets reach that address, so it is the one to check. */
const embeddings: readonly (AddressRange & { readonly at: number })[] = [
  { ...range('::ffff:0:0', 96), at: 12 }, // mapped
  { ...range('64:ff9b::', 96), at: 12 }, // NAT64
  { ...range('2002::', 16), at: 2 }, // 6to4
]

/** The only range of IPv6 that IANA allocates for global unicast. */
const globalUnicast = range('2000::', 3)

/** Whether a text is an IP literal, without brackets, of an address on the public internet. */
export function isPublicAddress(text: string): boolean {
  const bytes = parseAddress(text)
  return bytes !== undefined && isPublic(bytes)
}

function isPublic(bytes: Uint8Array): boolean {
  if (bytes.length === 4) return !refused4.some((range) => isIn(bytes, range))
  for (const embedding of embeddings) {
    if (isIn(bytes, embedding)) return isPublic(bytes.subarray(embedding.at, embedding.at + 4))
  }
  return isIn(bytes, globalUnicast) && !refused6.some((range) => isIn(bytes, range))
}

function isIn(bytes: Uint8Array, { network, bits }: AddressRange): boolean {
  for (let bit = 0; bit < bits; bit += 8) {
    const mask = bits - bit >= 8 ? 0xff : (0xff << (8 - (bits - bit))) & 0xff
    if (((bytes[bit >> 3] ?? 0) & mask) !== ((network[bit >> 3] ?? 0) & mask)) return false
  }
  return true
}

/**
 * Parses an IP literal into 4 or 16 bytes. Returns undefined for other text. Of IPv4 only the form of four
 * decimal numbers is accepted.
 */
export function parseAddress(text: string): Uint8Array | undefined {
  return text.includes(':') ? parse6(text) : parse4(text)
}

function parse4(text: string): Uint8Array | undefined {
  const parts = text.split('.')
  if (parts.length !== 4 || !parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256)) {
    return undefined
  }
  return Uint8Array.from(parts, Number)
}

function parse6(text: string): Uint8Array | undefined {
  // A zone id, as in `fe80::1%eth0`, names an interface and is not part of the address.
  const [address = ''] = text.split('%')
  const halves = address.split('::')
  if (halves.length > 2) return undefined
  const [head, tail] = [parseGroups(halves[0]!), parseGroups(halves[1] ?? '')]
  if (head === undefined || tail === undefined) return undefined
  const missing = 16 - head.length - tail.length
  if (halves.length === 2 ? missing < 2 : missing !== 0) return undefined
  return Uint8Array.from([...head, ...new Array<number>(missing).fill(0), ...tail])
}

/** Parses groups of up to four hex digits, the last of which may be an IPv4 address, into bytes. */
function parseGroups(text: string): number[] | undefined {
  if (text === '') return []
  const bytes: number[] = []
  const groups = text.split(':')
  for (const [index, group] of groups.entries()) {
    if (index === groups.length - 1 && group.includes('.')) {
      const inner = parse4(group)
      if (inner === undefined) return undefined
      pushAll(bytes, inner)
    } else {
      if (!/^[0-9a-f]{1,4}$/i.test(group)) return undefined
      const value = Number.parseInt(group, 16)
      bytes.push(value >> 8, value & 255)
    }
  }
  return bytes
}
