import { AppError } from '../../errors/app-error.ts'
import { engineFormat, type FormatPlugin } from '../../plugin/contract.ts'
import { mergeWithFiles } from '../merge/merge-with-files.ts'
import { mergeOptions } from '../merge/options.ts'
import type { RenderContext, RenderState } from '../state.ts'

/**
 * The first state of a render: the template filled with the data, or as it is where the request has none. Throws
 * 'api.template.format' for a file without tags, 'template.*', and what fetching files throws.
 */
export async function merge(context: RenderContext, target: FormatPlugin | undefined): Promise<RenderState> {
  const { services, request, template } = context
  const { format } = template
  const begin = { ...(target !== undefined && { target }), converters: [], signatures: [] }
  if (request.data === undefined) return { ...begin, source: await template.source(), format, warnings: [] }
  if (format.template === undefined) throw new AppError('api.template.format')
  context.onStage?.('merging')
  // Fallback images are for the programs that open the document; an engine that converts it needs none.
  const isHandedOut = target === undefined || engineFormat(target) === format.id
  const { value: merged, warnings } = await mergeWithFiles(
    {
      ...services,
      authorization: request.egressAuthorization,
      ...(isHandedOut && { fallbackImages: { ...services, deadline: context.deadline } }),
    },
    {
      template: { hash: template.hash, bytes: await template.bytes(), format: format.id },
      data: request.data,
      options: { ...mergeOptions(context), ...(!isHandedOut && { addressed: true }) },
    },
    context.signal,
  )
  const mergedFormat = services.registry.format(merged.format) ?? format
  return { ...begin, source: merged.document, format: mergedFormat, merged, warnings }
}
