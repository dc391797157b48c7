import { AppError } from '../../errors/app-error.ts'
import { defaultLimits } from '../../limits.ts'
import { pictureNotLoaded } from '../../net/page-files.ts'
import { bytesOf, fromBytes } from '../../plugin/byte-source.ts'
import { engineFormat } from '../../plugin/registry.ts'
import type { Warning } from '../../plugin/values.ts'
import type { RenderRequest } from '../request.ts'
import { type PipelineContext, type PipelineState, withWarnings } from '../state.ts'

/** Converts the document with an engine, unless it is the output already. Throws 'convert.*', 'engine.*'. */
export async function convert(context: PipelineContext, state: PipelineState): Promise<PipelineState> {
  const { output } = state
  if (output === undefined) return state
  const converted = output.action === 'convert' ? await runEngine(context, state) : state
  return asVariant(context, converted)
}

async function runEngine(context: PipelineContext, state: PipelineState): Promise<PipelineState> {
  const { services, request, client, deadline, signal } = context
  const { output, source, format } = state
  if (output === undefined) return state
  context.onStage?.('converting')
  const { egressAuthorization } = request
  const converted = await services.converter.convert({
    source,
    from: format.id,
    to: engineFormat(output.format),
    options: output.options,
    letter: output.letter,
    auto: output.auto,
    hardRefresh: output.hardRefresh,
    ...(egressAuthorization !== undefined && { egressAuthorization }),
    client,
    deadline,
    signal,
  })
  checkPictures(request, converted.warnings)
  return withWarnings(
    {
      ...state,
      source: converted.value,
      format: services.registry.format(converted.format) ?? output.format,
      converters: converted.letters,
      ...(converted.fonts !== undefined && { fonts: converted.fonts }),
      ...(converted.pageCount !== undefined && { pageCount: converted.pageCount }),
    },
    converted.warnings,
  )
}

/**
 * Engines report pictures that they could not load. Throws 'template.picture' for them where the request has
 * `failOn: ["IMAGE_URL_ERROR"]`.
 */
export function checkPictures({ failOn }: RenderRequest, warnings: readonly Warning[]): void {
  if (failOn?.includes('IMAGE_URL_ERROR') !== true) return
  const missing = warnings.find(({ code }) => code === pictureNotLoaded)
  if (missing !== undefined) throw new AppError('template.picture', { what: missing.message })
}

/** Rewrites the output as the requested variant, where that is a variant of the format that the engine made. */
async function asVariant({ services }: PipelineContext, state: PipelineState): Promise<PipelineState> {
  const variant = state.output?.format.variantOf
  if (state.output === undefined || variant === undefined || state.format.id !== variant.base) return state
  const bytes = await variant.rewrite(await bytesOf(state.source), {
    codec: services.codec,
    limits: defaultLimits,
  })
  return { ...state, source: fromBytes(bytes), format: state.output.format }
}
