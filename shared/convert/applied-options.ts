import { conforming } from '../pdf/stage/options.ts'
import type { Conversion, EnginePlugin } from '../plugin/contract.ts'

/** Requested by the field `hardRefresh` of a render, not by an option of its output. */
const ofTheRequest = ['hardRefresh']

/**
 * The names of `formatOptions` that an engine applies in one of its conversions: those that the conversion lists, or
 * otherwise the entire schema of the engine, plus the conformance that post-processing can give to PDFs of an engine that
 * embeds its fonts. Options that post-processing applies for every engine are not included.
 */
export function appliedOptions(
  { options, conformable }: Pick<EnginePlugin, 'options' | 'conformable'>,
  conversion: Pick<Conversion, 'to' | 'options'>,
): readonly string[] {
  const engineNames = (conversion.options ?? schemaNames(options.json)).filter(
    (name) => !ofTheRequest.includes(name),
  )
  const conforms = conformable === true && conversion.to === 'pdf'
  return [...new Set(conforms ? [...engineNames, ...conforming] : engineNames)].sort()
}

function schemaNames({ properties }: Readonly<Record<string, unknown>>): readonly string[] {
  return typeof properties === 'object' && properties !== null ? Object.keys(properties) : []
}
