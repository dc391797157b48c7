import { AppError } from '../errors/app-error.ts'
import { isPublicAddress, parseAddress } from './address.ts'

/** The operator's rules for outbound calls. */
export interface OutboundPolicy {
  /** Whether hosts that are not on the public internet may be called. */
  readonly allowPrivate: boolean
  /**
   * If not empty, only these hosts may be called. 'example.com' is that host alone, '*.example.com' all its
   * subdomains.
   */
  readonly allowedHosts?: readonly string[]
}

/** Top-level names that mean the local machine or network, or that no host of the public internet has. */
const privateNames = [
  'localhost',
  'local',
  'internal',
  'intranet',
  'lan',
  'home',
  'corp',
  'private',
  'arpa',
  'onion',
]

/** In characters. Servers rarely accept longer addresses. */
const maxUrlLength = 8192

/**
 * Parses a URL and checks scheme, credentials and host against the policy. The address that the host name
 * resolves to is not known here; `checkAddress` checks it after the resolution. Throws AppError
 * 'net.refused'.
 */
export function checkUrl(policy: OutboundPolicy, text: string): URL {
  if (text.length > maxUrlLength || !URL.canParse(text)) throw refused('it is not an absolute URL')
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw refused('its scheme is not http or https')
  if (url.username !== '' || url.password !== '') throw refused('it contains a user name or a password')
  const host = hostOf(url)
  const { allowedHosts = [] } = policy
  if (allowedHosts.length > 0 && !allowedHosts.some((allowed) => matches(host, allowed))) {
    throw refused('its host is not on the list of allowed hosts')
  }
  if (!policy.allowPrivate) {
    if (parseAddress(host) !== undefined) checkAddress(policy, host)
    else if (isPrivateName(host)) throw refused(notPublic)
  }
  return url
}

/** Throws AppError 'net.refused' when the policy forbids connections to this address, an IP literal. */
export function checkAddress(policy: OutboundPolicy, address: string): void {
  if (!policy.allowPrivate && !isPublicAddress(address)) throw refused(notPublic)
}

/**
 * The host without the brackets of IPv6 and without the trailing dot of a full name. The URL parser has
 * already normalised case and other notations of IPv4, such as 0x7f.1.
 */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
}

const notPublic = 'its host is not on the public internet'

/** A name without a dot can only be resolved by the local network. */
function isPrivateName(host: string): boolean {
  const labels = host.split('.')
  return labels.length === 1 || privateNames.includes(labels.at(-1)!)
}

function matches(host: string, allowed: string): boolean {
  const pattern = allowed.toLowerCase()
  return pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : host === pattern
}

function refused(because: string): AppError {
  return new AppError('net.refused', { because })
}
