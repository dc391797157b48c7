import { bytesOf, fromBytes } from '../../plugin/byte-source.ts'
import { engineFormat } from '../../plugin/contract.ts'
import { defaultLimits } from '../../template/limits.ts'
import { type RenderContext, type RenderState, withWarnings } from '../state.ts'

/** Lets an engine make the output, unless the document is the output already. Throws 'convert.*', 'engine.*'. */
export async function convert(context: RenderContext, state: RenderState): Promise<RenderState> {
  const { output } = state
  if (output === undefined) return state
  const converted = output.action === 'convert' ? await runEngine(context, state) : state
  return asVariant(context, converted)
}

async function runEngine(context: RenderContext, state: RenderState): Promise<RenderState> {
  const { services, request, deadline, signal } = context
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
    deadline,
    signal,
  })
  return withWarnings(
    {
      ...state,
      source: converted.value,
      format: services.registry.format(converted.format) ?? output.format,
      converters: converted.letters,
      ...(converted.fonts !== undefined && { fonts: converted.fonts }),
    },
    converted.warnings,
  )
}

/** The output as the variant that was asked for, where it is one of the format that engines make. */
async function asVariant({ services }: RenderContext, state: RenderState): Promise<RenderState> {
  const variant = state.output?.format.variantOf
  if (state.output === undefined || variant === undefined || state.format.id !== variant.base) return state
  const bytes = variant.rewrite(await bytesOf(state.source), { codec: services.codec, limits: defaultLimits })
  return { ...state, source: fromBytes(bytes), format: state.output.format }
}
