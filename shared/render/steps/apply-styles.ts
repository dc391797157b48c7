import { entryOf } from '../../entry-of.ts'
import { AppError } from '../../errors/app-error.ts'
import { bytesOf, fromBytes } from '../../plugin/byte-source.ts'
import type { FormatPlugin, StyleTransfer } from '../../plugin/contract.ts'
import type { ByteSource, Warning } from '../../plugin/values.ts'
import { parseTemplateRef } from '../../records/templates.ts'
import { type RenderTemplate, storedTemplate } from '../../services/templates.ts'
import { type PipelineContext, type PipelineState, withWarnings } from '../state.ts'
import { checkPictures } from './convert.ts'
import { mergeOptions, mergeWithFiles } from './merge.ts'

/**
 * Applies the styles, headers and footers of the stored template that `{o.styleSource}` names, after merging it with the same
 * data. Warns if the formats do not support this. Throws 'template.style-source'. Source: template language 25.
 */
export async function applyStyles(
  context: PipelineContext,
  state: PipelineState,
  id: string,
): Promise<PipelineState> {
  const { format: from, target: to = from } = state
  const transfer = from.styleTransfer
  if (transfer === undefined || !transfer.outputs.has(to.id))
    return withWarnings(state, [nothingToStyle(from, to)])
  const letter = state.merged?.tagOptions.converter ?? context.request.converter
  const unfit = letter === undefined ? undefined : entryOf(transfer.unfit, letter)
  if (unfit !== undefined) throw unusable(unfit)
  const styleSource = await styleTemplate(context, id, transfer)
  const filled = await mergeWithFiles(
    { ...context.services, authorization: context.request.egressAuthorization },
    {
      template: { hash: styleSource.hash, bytes: await styleSource.bytes(), format: styleSource.format.id },
      data: context.request.data ?? { value: {} },
      options: mergeOptions(context),
    },
    context.signal,
  )
  const [document, styles] = await Promise.all([
    toText(context, state.source, from, transfer.through),
    toText(context, filled.value.document, styleSource.format, transfer.through, transfer.letter),
  ])
  const styled = await transfer.join(document.text, styles.text)
  if (styled === undefined) throw unusable('its styles cannot be read')
  const source = fromBytes(new TextEncoder().encode(styled))
  const format = context.services.registry.format(transfer.through) ?? from
  return withWarnings({ ...state, source, format }, [...filled.warnings, ...document.warnings])
}

async function styleTemplate(
  { services, account }: PipelineContext,
  id: string,
  { sources }: StyleTransfer,
): Promise<RenderTemplate> {
  if (account === undefined) throw unusable('this service stores no templates')
  const template = await openStored(services, account, id)
  if (!sources.includes(template.format.id)) throw unusable(`it is of type ${template.format.id}`)
  return template
}

async function openStored(services: PipelineContext['services'], account: string, id: string) {
  try {
    return await storedTemplate(services, account, parseTemplateRef(id))
  } catch (error) {
    const isUnknown = error instanceof AppError && /^api\.(?:template|id)\./.test(error.code)
    throw isUnknown ? unusable('there is no stored template with that ID') : error
  }
}

/** Converts a document to a text format. `letter` pins the engine; absent: the default one for the source format. */
async function toText(
  { services, request, client, deadline, signal }: PipelineContext,
  source: ByteSource,
  from: FormatPlugin,
  to: string,
  letter?: string,
) {
  const { egressAuthorization } = request
  const access = egressAuthorization === undefined ? {} : { egressAuthorization }
  const job = { source, from: from.id, to, letter, client, deadline, signal, ...access }
  const { value, warnings } = await services.converter.convert(job)
  checkPictures(request, warnings)
  return { text: new TextDecoder().decode(await bytesOf(value)), warnings }
}

function nothingToStyle(from: FormatPlugin, to: FormatPlugin): Warning {
  const message = `{o.styleSource} applies only to Markdown that becomes a document, not to ${from.id} that becomes ${to.id}.`
  return { code: 'template.style-source', message }
}

function unusable(because: string): AppError {
  return new AppError('template.style-source', { because })
}
