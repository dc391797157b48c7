import { sanitizeReportName } from '../report-name.ts'
import type { Rendered } from '../request.ts'
import type { RenderContext, RenderState } from '../state.ts'

/** Names the document, as the template or the request says, and puts together what its answer reports. */
export function nameResult({ request }: RenderContext, state: RenderState): Rendered {
  const { source, format, merged, warnings, signatures, converters, fonts } = state
  const name = merged?.names['reportName'] ?? request.reportName ?? ''
  return {
    source,
    format,
    name: sanitizeReportName(name, format.extensions[0]),
    names: merged?.names ?? {},
    warnings,
    ...(request.debug && merged !== undefined && { debug: { markers: merged.debug?.markers ?? [] } }),
    ...(signatures.length > 0 && { signatures }),
    ...(converters.length > 0 && { converters }),
    ...(fonts !== undefined && { fonts }),
  }
}
