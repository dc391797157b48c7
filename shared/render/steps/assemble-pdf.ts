import { assemble, assembledFormat, onSelectedPages } from '../pdf-parts.ts'
import { type PdfAssembly, type PipelineContext, type PipelineState, withWarnings } from '../state.ts'

/**
 * Joins other files to the PDF, attaches files to it, finds the positions of signatures, and then applies the options of
 * the assembled PDF. Source: template language 22.11, 22.12. Throws 'template.files.failed', 'pdf.*', 'convert.*'.
 */
export async function assemblePdf(
  context: PipelineContext,
  state: PipelineState,
  assembly: PdfAssembly,
): Promise<PipelineState> {
  const { services, signal, deadline } = context
  if (state.format.id !== assembledFormat) return state
  const operations = state.merged?.operations ?? []
  const assembledPdf = await assemble(services, state.source, await assembly.parts, operations, signal)
  const assembled = withWarnings(
    {
      ...state,
      source: assembledPdf.source,
      signatures: onSelectedPages(
        assembledPdf.signatures,
        assembly.options['PageRange'],
        assembledPdf.pageCount,
      ),
    },
    assembledPdf.warnings,
  )
  if (Object.keys(assembly.options).length === 0) return assembled
  const finished = await services.converter.convert({
    source: assembledPdf.source,
    from: assembledFormat,
    to: assembledFormat,
    options: assembly.options,
    deadline,
    signal,
  })
  return withWarnings({ ...assembled, source: finished.value }, finished.warnings)
}
