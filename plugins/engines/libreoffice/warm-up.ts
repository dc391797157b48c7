import { pushAll } from '../../../shared/push-all.ts'
import type { BridgeUnit } from './bridge-unit.ts'
import { filterPairOf } from './conversions.ts'
import { optionsSchema } from './options.ts'
import { prepare, withSource } from './request.ts'

/** Tiny documents whose conversion loads the filters, layout and fonts that real ones need. */
const samples: readonly (readonly [from: string, to: string, content: string])[] = [
  ['fodt', 'pdf', flat('text', 'text', '<text:p>Warm</text:p>')],
  ['fods', 'pdf', flat('spreadsheet', 'spreadsheet', cells())],
  [
    'fodp',
    'pdf',
    flat('presentation', 'presentation', '<draw:page draw:name="1" draw:master-page-name="M"/>'),
  ],
  ['fodt', 'docx', flat('text', 'text', '<text:p>Warm</text:p>')],
]

/** Adds the jobs that the pool runs on a unit before and between the first real ones. */
export function warmUpJobs(unit: BridgeUnit): BridgeUnit {
  const checked = optionsSchema.parse({})
  if (!checked.ok) return unit
  const jobs = samples.map(([from, to, content]) => async () => {
    const filters = filterPairOf(from, to)
    if (filters === undefined) return
    const { request, source } = withSource(
      prepare(filters, to, checked.value),
      filters,
      new TextEncoder().encode(content),
    )
    await unit.convert(request, source)
  })
  pushAll(unit.warmUp, jobs)
  return unit
}

function flat(kind: string, body: string, content: string): string {
  const spaces = ['office', 'text', 'table', 'draw', 'style'].map(
    (name) =>
      `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name === 'draw' ? 'drawing' : name}:1.0"`,
  )
  return (
    `<?xml version="1.0" encoding="UTF-8"?><office:document ${spaces.join(' ')} office:version="1.3" ` +
    `office:mimetype="application/vnd.oasis.opendocument.${kind}"><office:body><office:${body}>${content}` +
    `</office:${body}></office:body></office:document>`
  )
}

function cells(): string {
  return '<table:table table:name="S"><table:table-row><table:table-cell><text:p>Warm</text:p></table:table-cell></table:table-row></table:table>'
}
