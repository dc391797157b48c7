import { AppError } from '../errors/app-error.ts'
import { isPublicAddress, parseAddress } from './address.ts'

/** What the operator allows to be called. */
export interface OutboundPolicy {
  /** Also hosts that are not on the public internet. Off unless configured. */
  readonly allowPrivate: boolean
  /** When there are any, only these: 'example.com' is the host alone, '*.example.com' all below it. */
  readonly allowedHosts?: readonly string[]
}

/** Names that mean this machine or this network, wherever they are asked for. */
const insideNames = [
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

const longestUrl = 2048 * 4

/**
 * The URL, when it may be called as far as its text tells: scheme, credentials, host. Where the name leads to is judged
 * by `checkAddress` when it was resolved. Throws AppError 'net.refused'.
 */
export function checkUrl(policy: OutboundPolicy, text: string): URL {
  if (text.length > longestUrl || !URL.canParse(text)) throw refused('it is not an absolute URL')
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw refused('its scheme is not http or https')
  if (url.username !== '' || url.password !== '') throw refused('it holds a user name or a password')
  const host = hostOf(url)
  const { allowedHosts = [] } = policy
  if (allowedHosts.length > 0 && !allowedHosts.some((allowed) => matches(host, allowed))) {
    throw refused('its host is not on the list of allowed hosts')
  }
  if (!policy.allowPrivate) {
    if (parseAddress(host) !== undefined) checkAddress(policy, host)
    else if (isInsideName(host)) throw refused(notPublic)
  }
  return url
}

/** Throws AppError 'net.refused' when this address, an IP literal, may not be connected to. */
export function checkAddress(policy: OutboundPolicy, address: string): void {
  if (!policy.allowPrivate && !isPublicAddress(address)) throw refused(notPublic)
}

/** The host without brackets and without the dot that ends a full name. URL has normalised the rest: case, 0x7f.1. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
}

const notPublic = 'its host is not on the public internet'

function isInsideName(host: string): boolean {
  const labels = host.split('.')
  return labels.length === 1 || insideNames.includes(labels.at(-1)!)
}

function matches(host: string, allowed: string): boolean {
  const wanted = allowed.toLowerCase()
  return wanted.startsWith('*.') ? host.endsWith(wanted.slice(1)) : host === wanted
}

function refused(because: string): AppError {
  return new AppError('net.refused', { because })
}
