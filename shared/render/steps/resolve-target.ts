import { AppError } from '../../errors/app-error.ts'
import { engineFormat, type FormatPlugin } from '../../plugin/contract.ts'
import type { RenderContext } from '../state.ts'

/**
 * The output that `convertTo` names; undefined where the document keeps its format. Checks the options of that output,
 * so that nothing is merged for a request that cannot succeed. Throws 'convert.unknown-format', 'convert.options'.
 */
export function resolveTarget({ services, request, template }: RenderContext): FormatPlugin | undefined {
  if (request.convertTo === undefined) return undefined
  const { name, options = {} } = request.convertTo
  const format = services.registry.formatByExtension(name)
  if (format === undefined)
    throw new AppError('convert.unknown-format', { to: name.replace(/[^\w.+-]/g, '?').slice(0, 20) })
  // XML of a particular vocabulary is a format of its own, and its extension still means "as it is".
  const target = template.format.extensions[0] === format.id ? template.format : format
  services.converter.checkOptions(engineFormat(target), options)
  return target
}
