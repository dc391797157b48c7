/**
 * Which addresses are on the public internet. Everything that is not globally reachable by the registries of special
 * addresses (IANA, RFC 6890 and its updates) is refused, and so are public addresses that clouds answer on inside.
 */
interface Range {
  readonly network: Uint8Array
  readonly bits: number
}
const range = (network: string, bits: number): Range => ({ network: parseAddress(network)!, bits })

const refused4: readonly Range[] = [
  range('0.0.0.0', 8), // this network
  range('10.0.0.0', 8), // private
  range('100.64.0.0', 10), // shared by carriers; a cloud keeps its metadata there
  range('127.0.0.0', 8), // loopback
  range('168.63.129.16', 32), // a cloud's wire server: public by number, inside by nature
  range('169.254.0.0', 16), // link-local, and metadata of most clouds
  range('172.16.0.0', 12), // private
  range('192.0.0.0', 24), // protocol assignments
  range('192.0.2.0', 24), // documentation
  range('192.31.196.0', 24), // AS112
  range('192.52.193.0', 24), // AMT
  range('192.88.99.0', 24), // 6to4 relays, given up
  range('192.168.0.0', 16), // private
  range('192.175.48.0', 24), // AS112
  range('198.18.0.0', 15), // benchmarks
  range('198.51.100.0', 24), // documentation
  range('203.0.113.0', 24), // documentation
  range('224.0.0.0', 4), // multicast
  range('240.0.0.0', 4), // reserved, broadcast
]

/** Inside 2000::/3. */
const refused6: readonly Range[] = [
  range('2001::', 23), // protocol assignments, Teredo among them
  range('2001:db8::', 32), // documentation
  range('2620:4f:8000::', 48), // AS112
  range('3fff::', 20), // documentation
]

/** Ranges that carry an IPv4 address, and at which byte: it is the one that answers, so it is the one to judge. */
const carriers: readonly (Range & { readonly at: number })[] = [
  { ...range('::ffff:0:0', 96), at: 12 }, // mapped
  { ...range('64:ff9b::', 96), at: 12 }, // NAT64
  { ...range('2002::', 16), at: 2 }, // 6to4
]

/** The only range of IPv6 that is handed out. */
const handedOut = range('2000::', 3)

/** Whether an address, written as an IP literal without brackets, is on the public internet. Anything else is not. */
export function isPublicAddress(text: string): boolean {
  const bytes = parseAddress(text)
  return bytes !== undefined && isPublic(bytes)
}

function isPublic(bytes: Uint8Array): boolean {
  if (bytes.length === 4) return !refused4.some((range) => isIn(bytes, range))
  for (const carrier of carriers) {
    if (isIn(bytes, carrier)) return isPublic(bytes.subarray(carrier.at, carrier.at + 4))
  }
  return isIn(bytes, handedOut) && !refused6.some((range) => isIn(bytes, range))
}

function isIn(bytes: Uint8Array, { network, bits }: Range): boolean {
  for (let bit = 0; bit < bits; bit += 8) {
    const mask = bits - bit >= 8 ? 0xff : (0xff << (8 - (bits - bit))) & 0xff
    if ((bytes[bit >> 3]! & mask) !== (network[bit >> 3]! & mask)) return false
  }
  return true
}

/** 4 or 16 bytes, or undefined when the text is no IP literal. Only the four-part decimal form of IPv4 is one. */
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
  // A zone, `fe80::1%eth0`, says which interface, not which address.
  const [address = ''] = text.split('%')
  const halves = address.split('::')
  if (halves.length > 2) return undefined
  const [head, tail] = [parseGroups(halves[0]!), parseGroups(halves[1] ?? '')]
  if (head === undefined || tail === undefined) return undefined
  const missing = 16 - head.length - tail.length
  if (halves.length === 2 ? missing < 2 : missing !== 0) return undefined
  return Uint8Array.from([...head, ...new Array<number>(missing).fill(0), ...tail])
}

/** Groups of four hex digits, the last of which may be an IPv4 address, as bytes. */
function parseGroups(text: string): number[] | undefined {
  if (text === '') return []
  const bytes: number[] = []
  const groups = text.split(':')
  for (const [index, group] of groups.entries()) {
    if (index === groups.length - 1 && group.includes('.')) {
      const inner = parse4(group)
      if (inner === undefined) return undefined
      bytes.push(...inner)
    } else {
      if (!/^[0-9a-f]{1,4}$/i.test(group)) return undefined
      const value = Number.parseInt(group, 16)
      bytes.push(value >> 8, value & 255)
    }
  }
  return bytes
}
