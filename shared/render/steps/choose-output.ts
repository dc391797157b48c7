import { bytesOf, fromBytes } from '../../plugin/byte-source.ts'
import { engineFormat } from '../../plugin/contract.ts'
import { defaultLimits } from '../../template/limits.ts'
import { assembledFormat, gatherParts, ignoredOperations, splitOptions } from '../pdf-parts.ts'
import type { FormatOptions } from '../request.ts'
import {
  type OutputPlan,
  type PdfAssembly,
  type RenderContext,
  type RenderState,
  withWarnings,
} from '../state.ts'

/**
 * Decides how the document becomes the output: by which engine, with which options, and with which files around it.
 * Tags of the template win over the request. A document that no engine has to work on is completed here.
 */
export async function chooseOutput(context: RenderContext, before: RenderState): Promise<RenderState> {
  const { request } = context
  const { state, printOptions } = await takePrintOptions(before)
  const format = state.target ?? state.format
  const requestedEngine = state.merged?.asked.converter ?? request.converter
  const auto = requestedEngine === 'auto'
  const { options, assembly, ignored } = splitAssembly(context, state, {
    ...(format.id === assembledFormat && printOptions),
    ...request.convertTo?.options,
  })
  const requestedOutput = {
    format,
    auto,
    letter: auto ? undefined : requestedEngine,
    hardRefresh: (state.merged?.asked.hardRefresh ?? request.hardRefresh) && state.target !== undefined,
    options,
    ...(assembly !== undefined && { assembly }),
  }
  const action = chooseAction(context, state, requestedOutput)
  const output: OutputPlan = { ...requestedOutput, action: action === 'convert' ? 'convert' : 'keep' }
  const planned = withWarnings({ ...state, output }, ignored)
  if (action === 'convert') return planned
  const document = state.merged === undefined ? await plainCopy(context, planned) : planned
  return action === 'refresh-impossible' ? withWarnings(document, [noRefresh(state.format.id)]) : document
}

/** The document without what it says about its own printing, and that. */
async function takePrintOptions(
  state: RenderState,
): Promise<{ readonly state: RenderState; readonly printOptions?: FormatOptions }> {
  const { format, source } = state
  const found = format.printOptions?.(await bytesOf(source))
  if (found === undefined) return { state }
  return { state: { ...state, source: fromBytes(found.bytes) }, printOptions: found.options }
}

/** Options in two, where the template asks for files in or around its PDF: for the engine, and for the whole. */
function splitAssembly(
  context: RenderContext,
  { target, format, merged }: RenderState,
  given: FormatOptions,
) {
  const operations = merged?.operations ?? []
  const isPdf = (target ?? format).id === assembledFormat
  if (!isPdf || operations.length === 0) return { options: given, ignored: ignoredOperations(operations) }
  const { engine, whole } = splitOptions(given, operations)
  const parts = gatherParts(
    {
      outbound: context.services.outbound,
      authorization: context.request.egressAuthorization,
      renderTemplate: async ({ template, data }) =>
        bytesOf(await context.renderNested(template, data, merged)),
    },
    operations,
    context.signal,
  )
  // A failure is reported by the step that awaits the files. Until then it must not count as unhandled.
  parts.catch(() => {})
  const assembly: PdfAssembly = { parts, options: whole }
  return { options: engine, assembly, ignored: [] }
}

/** Equal formats need an engine only to be refreshed, or to apply options to a finished document. */
function chooseAction(
  { services }: RenderContext,
  { format: from }: RenderState,
  { format, letter, hardRefresh, options = {} }: Omit<OutputPlan, 'action'>,
): 'keep' | 'convert' | 'refresh-impossible' {
  const to = engineFormat(format)
  if (from.id !== to) return 'convert'
  const hasOptions = Object.keys(options).length > 0
  if (!hardRefresh && !hasOptions) return 'keep'
  if (services.converter.can(from.id, to, letter)) return 'convert'
  return hardRefresh && !hasOptions ? 'refresh-impossible' : 'convert'
}

/** A file that is handed out as it came, but as a document and without its macros. */
async function plainCopy({ services }: RenderContext, state: RenderState): Promise<RenderState> {
  const { plainCopy } = state.format
  if (plainCopy === undefined) return state
  const plain = plainCopy(await bytesOf(state.source), { codec: services.codec, limits: defaultLimits })
  return plain === undefined ? state : { ...state, source: fromBytes(plain) }
}

function noRefresh(format: string) {
  return {
    code: 'hard-refresh',
    message: `hardRefresh was ignored: no engine here can open a ${format} file again.`,
  }
}
