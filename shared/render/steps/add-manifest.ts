import { entryOf } from '../../entry-of.ts'
import { bytesOf, fromBytes } from '../../plugin/byte-source.ts'
import type { Warning } from '../../plugin/values.ts'
import type { JsonInput } from '../../ports/index.ts'
import { digestOfJson } from '../../provenance/data-digest.ts'
import {
  completeManifest,
  type Manifest,
  type ManifestDraft,
  type ManifestOptions,
  withoutPasswords,
} from '../../provenance/manifest.ts'
import type { Services } from '../../services/services.ts'
import type { RenderTemplate } from '../../services/templates.ts'
import { assembledFormat } from '../pdf-parts.ts'
import type { ProvenanceRequest, RenderRequest } from '../request.ts'
import { type PipelineContext, type PipelineState, withWarnings } from '../state.ts'

/** Adds the manifest of the document. In a PDF it is attached before signing, so that signatures cover it. Throws 'pdf.*'. */
export async function addManifest(
  { services, template, request, signal }: PipelineContext,
  state: PipelineState,
  provenance: ProvenanceRequest,
): Promise<PipelineState> {
  const { converters, fonts } = state
  const draft = await draftOf(services, {
    template,
    request,
    provenance,
    converters,
    fonts,
    format: state.format.id,
  })
  const described = await describe(services, state.source, { draft, provenance, signal })
  return withWarnings({ ...state, ...described.value }, described.warnings)
}

/** The sources of a document, and the information that its engines reported. */
export interface DocumentOrigins extends Pick<PipelineState, 'converters' | 'fonts'> {
  readonly template: RenderTemplate
  readonly request: RenderRequest
  readonly provenance: ProvenanceRequest
  readonly format: string
}

export async function draftOf(
  { clock, registry, settings }: Pick<Services, 'clock' | 'registry' | 'settings'>,
  { template, request, provenance, converters, fonts, format }: DocumentOrigins,
): Promise<ManifestDraft> {
  const { salt } = provenance
  const [data, complement] = await Promise.all(
    [request.data ?? request.batch?.data, request.complement].map((json) => digestOf(json, salt)),
  )
  const titles = new Map(registry.engines().map(({ letter, title }) => [letter, title]))
  return {
    type: 'platen.provenance',
    version: 1,
    time: new Date(clock.now()).toISOString(),
    service: { name: 'platen', version: settings.version },
    template: { format: template.format.id, sha256: template.hash, ...template.stored },
    ...(data !== undefined && { data }),
    ...(complement !== undefined && { complement }),
    options: optionsOf(request),
    engines: converters.map((letter) => {
      const title = titles.get(letter)
      return { letter, ...(title !== undefined && { title }) }
    }),
    fonts: (fonts?.used ?? []).map((family) => {
      const version = entryOf(fonts?.versions ?? {}, family)
      return { family, ...(version !== undefined && { version }) }
    }),
    format,
  }
}

async function digestOf(
  json: JsonInput | Uint8Array | undefined,
  salt: string | undefined,
): Promise<{ readonly hmacSha256: string } | undefined> {
  if (json === undefined || salt === undefined) return undefined
  const text = json instanceof Uint8Array ? json : 'text' in json ? json.text : JSON.stringify(json.value)
  return { hmacSha256: await digestOfJson(text, salt) }
}

function optionsOf(request: RenderRequest): ManifestOptions {
  const { convertTo, converter, lang, timezone, currencySource, currencyTarget, hardRefresh, sign } = request
  return {
    ...(convertTo !== undefined && { convertTo: convertTo.name }),
    ...(convertTo?.options !== undefined && { formatOptions: withoutPasswords(convertTo.options) }),
    ...(converter !== undefined && { converter }),
    ...(lang !== undefined && { lang }),
    ...(timezone !== undefined && { timezone }),
    ...(currencySource !== undefined && { currencySource }),
    ...(currencyTarget !== undefined && { currencyTarget }),
    ...(hardRefresh && { hardRefresh }),
    ...(sign !== undefined && { signatures: sign.length }),
  }
}

export interface Described {
  readonly source: PipelineState['source']
  readonly manifest: Manifest
}

/** Completes the manifest of a document, and attaches it to a PDF unless the request disables that. */
export async function describe(
  { converter }: Pick<Services, 'converter'>,
  source: PipelineState['source'],
  {
    draft,
    provenance,
    signal,
  }: {
    readonly draft: ManifestDraft
    readonly provenance: ProvenanceRequest
    readonly signal: AbortSignal
  },
): Promise<{ readonly value: Described; readonly warnings: readonly Warning[] }> {
  const bytes = await bytesOf(source)
  const { attachManifest } = converter
  if (draft.format !== assembledFormat || provenance.attach === false || attachManifest === undefined) {
    const manifest = await completeManifest(draft, bytes)
    return { value: { source: fromBytes(bytes), manifest }, warnings: [] }
  }
  const { value, warnings } = await attachManifest(bytes, draft, { signal })
  return { value: { source: fromBytes(value.bytes), manifest: value.manifest }, warnings }
}
