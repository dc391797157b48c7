import { AppError } from '../../errors/app-error.ts'
import type { InvoiceRequest } from '../../invoice/report.ts'
import { bytesOf } from '../../plugin/byte-source.ts'
import { assembledFormat } from '../pdf-parts.ts'
import { type PipelineContext, type PipelineState, withWarnings } from '../state.ts'

/**
 * Checks an electronic invoice that is an XML document. The invoice of a PDF is checked when it is attached. Throws
 * 'invoice.rules', 'invoice.output'.
 */
export async function checkInvoice(
  { services, signal }: PipelineContext,
  state: PipelineState,
  request: InvoiceRequest,
): Promise<PipelineState> {
  const [extension] = state.format.extensions
  if (state.format.id === assembledFormat) return state
  if (extension !== 'xml') throw new AppError('invoice.output', { format: extension.toUpperCase() })
  const bytes = await bytesOf(state.source)
  const warnings = await services.converter.checkInvoice?.(bytes, request, { name: 'invoice.xml', signal })
  return withWarnings(state, warnings ?? [])
}
