/**
 * One request to the three kinds of host: an origin, an edge with that origin behind it, and an edge alone. An edge with an
 * origin answers as the origin does. An edge alone answers so where it lists the pair of formats, and else says what it
 * lacks.
 */
import JSZip from 'jszip'
import type { FormatPair } from '../../shared/convert/matrix.ts'
import type { FormatId } from '../../shared/plugin/values.ts'
import type { Target } from '../contract/http/client.ts'
import { notOfKind } from '../helpers/content-kind.ts'
import { edgeTarget } from '../helpers/edge-target.ts'
import { originTarget } from '../helpers/origin-target.ts'

export interface Hosts {
  readonly origin: Target
  readonly edge: Target
  readonly alone: Target
  /** What the edge alone lists, by `<from> <to>`. */
  readonly offered: ReadonlyMap<string, FormatPair>
  stop(): Promise<void>
}

const originSecret = 'a secret that both sides know, for tests alone'

export async function startHosts(): Promise<Hosts> {
  const origin = await originTarget({ originSecret, prewarm: true, instanceQueueSize: 1000 })
  const edge = await edgeTarget({
    SERVICE_ORIGIN_URL: origin.url,
    SERVICE_ORIGIN_SECRET: originSecret,
    SERVICE_NB_REPORT_MAX_WAITING: '0',
  })
  const alone = await edgeTarget()
  const offered = new Map((await conversionsOf(alone)).map((pair) => [`${pair.from} ${pair.to}`, pair]))
  const stop = async () => {
    await Promise.all([edge.stop(), alone.stop()])
    await origin.stop()
  }
  return { origin, edge, alone, offered, stop }
}

export async function conversionsOf({ url }: Target): Promise<readonly FormatPair[]> {
  const { data } = (await (await fetch(`${url}/conversions`)).json()) as { data: readonly FormatPair[] }
  return data
}

/** What a caller sees of an answer: not its bytes, which hold times and ids. */
export interface Seen {
  readonly status: number
  readonly type: string | null // `content-type`
  readonly disposition: string | null
  readonly converter: string | null
  readonly warnings: string | null // codes
  /** The message of an error. Of a document: how it is not of its kind, or the number of its files. */
  readonly result: string
}

/** Renders a template that goes with the request, the same bytes at each host. */
export async function render(
  { url }: Target,
  to: FormatId,
  request: Readonly<Record<string, unknown>>,
): Promise<{ readonly seen: Seen; readonly bytes: Uint8Array }> {
  const response = await fetch(`${url}/render/template?download=true`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ data: {}, convertTo: to, ...request }),
  })
  const bytes = new Uint8Array(await response.arrayBuffer())
  const { headers, status } = response
  const seen = {
    status,
    type: headers.get('content-type'),
    disposition: headers.get('content-disposition'),
    converter: headers.get('service-converter'),
    warnings: headers.get('service-warning'),
    result: await resultOf(to, status, headers, bytes),
  }
  return { seen, bytes }
}

async function resultOf(to: FormatId, status: number, headers: Headers, bytes: Uint8Array): Promise<string> {
  if (status !== 200) return (JSON.parse(new TextDecoder().decode(bytes)) as { error: string }).error
  const isArchive = headers.get('content-type')?.startsWith('application/zip') === true
  if (isArchive) return `${Object.keys((await JSZip.loadAsync(bytes)).files).length} files`
  return (await notOfKind(to, bytes)) ?? to
}

export interface Request {
  readonly from: FormatId
  readonly to: FormatId
  readonly letter?: string | undefined
}

/** How the edges answered in another way than the origin did. */
export function differences(
  { origin, edge, alone }: { readonly origin: Seen; readonly edge: Seen; readonly alone: Seen },
  offered: Hosts['offered'],
  { from, to, letter }: Request,
): readonly string[] {
  const pair = offered.get(`${from} ${to}`)
  const isFree = letter === undefined || letter === 'auto'
  const isOffered = isFree ? pair !== undefined : pair?.converters.includes(letter) === true
  // No list has that a document stays what it is.
  const isMade = isOffered || (from === to && alone.status === 200)
  // Another engine than the origin's default may be the best at an edge alone, with warnings of its own.
  const compared = origin.converter === alone.converter ? keys : inAnyCase
  return [
    ...differing('edge', origin, edge, keys),
    ...(isMade ? differing('edge alone', origin, alone, compared) : refusalOf(origin, alone)),
  ]
}

const keys = ['status', 'type', 'disposition', 'converter', 'warnings', 'result'] as const
const inAnyCase = ['status', 'type', 'disposition', 'result'] as const

const differing = (host: string, origin: Seen, there: Seen, names: readonly (keyof Seen)[]) =>
  names
    .filter((name) => origin[name] !== there[name])
    .map((name) => `${name} is ${origin[name]} at the origin and ${there[name]} at the ${host}`)

/**
 * What cannot be made without an origin is refused with that reason, unless the request is wrong anywhere. Then the message
 * may name fewer engines.
 */
function refusalOf(origin: Seen, alone: Seen): readonly string[] {
  if (alone.status === 500 && /needs an origin server/.test(alone.result)) return []
  if (origin.status !== 200) return differing('edge alone', origin, alone, ['status'])
  return [`the edge alone answers ${alone.status} ${alone.result} where it offers nothing`]
}
