import { formats } from '../../plugins/formats/index.ts'
import { macroWorkbook } from '../../plugins/formats/xlsx/index.ts'
import { createConverter } from '../../shared/convert/converter.ts'
import { createPdfFinisher } from '../../shared/convert/finish-pdf.ts'
import { createPdfOperations } from '../../shared/pdf/operations.ts'
import type { EnginePlugin } from '../../shared/plugin/contract.ts'
import { createRegistry } from '../../shared/plugin/registry.ts'
import type { RenderRequest } from '../../shared/render/request.ts'
import type { PipelineContext } from '../../shared/render/state.ts'
import { inlineTemplate } from '../../shared/render/template.ts'
import { createPureHasher } from '../../shared/services/pure-hasher.ts'
import type { Services } from '../../shared/services/services.ts'
import type { RenderTemplate } from '../../shared/services/templates.ts'
import { mergerOf } from '../../shared/template/merge.ts'
import { testHost } from './host.ts'
import { engine as mergeEngine } from './merge.ts'
import { upperCaseEngine } from './upper-case-engine.ts'

/**
 * What the steps of a render are called with: the formats of the product, its merger in this thread, and one small engine
 * (TXT to UP, letter U) beside the PDF post-processing. Nothing is stored and nothing can be fetched.
 */
export async function renderContext(
  template: Uint8Array | string,
  request: Partial<RenderRequest> = {},
): Promise<PipelineContext> {
  const host = testHost(formats)
  const registry = createRegistry([...formats, macroWorkbook, upFormat, upperCaseEngine as EnginePlugin])
  const finisher = createPdfFinisher({
    registry,
    pdf: createPdfOperations({ codec: host.codec, random: (length) => new Uint8Array(length) }),
  })
  const services = {
    registry,
    converter: createConverter({ registry, host, settings: {}, finisher }),
    merger: mergerOf(mergeEngine),
    hasher: createPureHasher(),
    codec: host.codec,
    clock: { now: () => 0 },
    outbound: {
      open: () => Promise.reject(new Error('There is no network.')),
      refuses: () => true,
      fetch: async () => {
        throw new Error('Nothing is fetched here.')
      },
    },
    settings: { lang: 'en', timezone: 'UTC', maxTemplateBytes: 1_000_000 },
  } as unknown as Services // the rest of the services has no part in the steps
  const bytes = typeof template === 'string' ? new TextEncoder().encode(template) : template
  const given: RenderTemplate = await inlineTemplate(services, bytes)
  return {
    services,
    template: given,
    request: { hardRefresh: false, debug: false, languageLevel: 5_000_000, ...request },
    signal: new AbortController().signal,
    deadline: Date.now() + 60_000,
    renderInvoice: async () => {
      throw new Error('Nothing is attached here.')
    },
    renderNested: async () => {
      throw new Error('Nothing is appended here.')
    },
  }
}

const upFormat = {
  kind: 'format',
  id: 'up',
  family: 'text',
  extensions: ['up'],
  mime: ['text/x-up'],
} as const
