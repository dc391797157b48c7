/** Inspection of a template without rendering it: its problems and the data that it needs. */

import { AppError, type Problem } from '../errors/app-error.ts'
import { engineFormat } from '../plugin/registry.ts'
import type { Inspection, JsonInput } from '../ports/index.ts'
import type { Services } from '../services/services.ts'
import type { RenderTemplate } from '../services/templates.ts'
import type { RenderRequest } from './request.ts'

export type InspectRequest = Pick<
  RenderRequest,
  'complement' | 'lang' | 'variableStr' | 'languageLevel' | 'convertTo' | 'converter'
> & { readonly data?: JsonInput | undefined }

/**
 * Inspects a template. An output format that no engine can produce from it is reported as one of the errors.
 * Throws what prevents the template from being opened, 'api.json.invalid.at' for data that is not JSON,
 * 'api.render.timeout', and 'api.aborted' when the caller has gone.
 */
export async function inspectTemplate(
  services: Services,
  template: RenderTemplate,
  request: InspectRequest,
  caller: AbortSignal,
): Promise<Inspection> {
  if (template.format.template === undefined) throw new AppError('api.template.format')
  const ms = services.settings.renderTimeoutMs
  const signal = AbortSignal.any([caller, AbortSignal.timeout(ms)])
  try {
    const inspection = await services.merger.inspect(
      {
        template: { hash: template.hash, bytes: await template.bytes(), format: template.format.id },
        languageLevel: request.languageLevel,
        lang: request.lang ?? services.settings.lang,
        ...(request.variableStr === undefined ? {} : { variableStr: request.variableStr }),
        ...(request.data === undefined ? {} : { data: request.data }),
        ...(request.complement === undefined ? {} : { complement: request.complement }),
      },
      signal,
    )
    return { ...inspection, errors: [...inspection.errors, ...conversionErrors(services, template, request)] }
  } catch (error) {
    if (caller.aborted) throw new AppError('api.aborted')
    if (signal.aborted) throw new AppError('api.render.timeout', { ms })
    if (error instanceof AppError && error.code === 'template.data')
      throw new AppError('api.json.invalid.at', { place: error.message }, { cause: error })
    throw error
  }
}

/**
 * The errors of the requested conversion: an unknown output, wrong options, or no engine for the pair of
 * formats.
 */
function conversionErrors(
  { registry, converter }: Services,
  { format: from }: RenderTemplate,
  { convertTo, converter: letter }: InspectRequest,
): Problem[] {
  if (convertTo === undefined) return []
  const to = registry.formatByExtension(convertTo.name)
  const name = convertTo.name.replace(/[^\w.+-]/g, '?').slice(0, 20)
  if (to === undefined) return [problemOf(new AppError('convert.unknown-format', { to: name }))]
  try {
    converter.checkOptions(engineFormat(to), convertTo.options ?? {})
  } catch (error) {
    if (error instanceof AppError) return [problemOf(error)]
    throw error
  }
  if (from.id === engineFormat(to)) return []
  const refusal = converter.refusal(from.id, engineFormat(to), letter)
  return refusal === undefined ? [] : [problemOf(refusal)]
}

const problemOf = ({ code, message, hint }: AppError): Problem => ({
  code,
  message,
  ...(hint === undefined ? {} : { hint }),
})
