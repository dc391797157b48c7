import { parseTemplateRef } from '../api/ids.ts'
import { AppError } from '../errors/app-error.ts'
import { inStylesOf } from '../flow/odf-style-source.ts'
import { bytesOf, fromBytes } from '../plugin/byte-source.ts'
import type { ByteSource, FormatPlugin, Warning } from '../plugin/contract.ts'
import type { MergeOptions } from '../ports/index.ts'
import type { Services } from '../services/services.ts'
import { mergeWithFiles } from './merge/merge-with-files.ts'
import type { RenderRequest, RenderTemplate } from './pipeline.ts'

/** What has styles, headers and footers to begin with. */
const targets = new Set([
  ...['docx', 'odt', 'pdf', 'rtf', 'doc', 'fodt', 'ott', 'epub'],
  ...['png', 'jpg', 'jpeg', 'webp', 'svg'],
])

export interface Styling {
  /** The Template ID or Version ID that `{o.styleSource}` names. */
  readonly id: string
  readonly from: FormatPlugin
  readonly to: FormatPlugin
  readonly letter: string | undefined // the engine the caller pinned
  readonly source: ByteSource
  readonly request: RenderRequest
  readonly options: MergeOptions
  /** Finds a stored template of the caller. */
  readonly find: (id: string) => Promise<RenderTemplate>
  readonly deadline: number
  readonly signal: AbortSignal
}

/**
 * Markdown in the styles, headers and footers of a stored DOCX or ODT, which is filled with the same data first: a flat
 * OpenDocument text. undefined with a warning where there is nothing to style. Throws 'template.style-source'.
 */
export async function withStylesOf(
  services: Services,
  styling: Styling,
): Promise<{ readonly source?: ByteSource; readonly warnings: readonly Warning[] }> {
  const { id, from, to, letter, source, request, options, find, ...bounds } = styling
  if (from.id !== 'md' || !targets.has(to.id)) {
    const message = `{o.styleSource} means something for Markdown that becomes a document, not for ${from.id} to ${to.id}.`
    return { warnings: [{ code: 'template.style-source', message }] }
  }
  if (letter === 'C') throw unusable('engine C would leave its pages out')
  const template = await found(id, find)
  const given = {
    template: { hash: template.hash, bytes: await template.bytes(), format: template.format.id },
    data: request.data ?? { value: {} },
    options,
  }
  const filled = await mergeWithFiles(
    { ...services, authorization: request.egressAuthorization, twins: undefined },
    given,
    bounds.signal,
  )
  const { egressAuthorization } = request
  const access = egressAuthorization === undefined ? bounds : { ...bounds, egressAuthorization }
  const flat = async (bytes: ByteSource, kind: string, by?: string) => {
    const job = { source: bytes, from: kind, to: 'fodt', letter: by, ...access }
    const made = await services.converter.convert(job)
    return { text: new TextDecoder().decode(await bytesOf(made.value)), warnings: made.warnings }
  }
  const [own, other] = await Promise.all([
    flat(source, 'md'),
    // Helpers would make a text of it, without its pages.
    flat(filled.value.document, template.format.id, 'L'),
  ])
  const styled = inStylesOf(own.text, other.text)
  if (styled === undefined) throw unusable('its styles cannot be read')
  return {
    source: fromBytes(new TextEncoder().encode(styled)),
    warnings: [...filled.warnings, ...own.warnings],
  }
}

async function found(id: string, find: Styling['find']): Promise<RenderTemplate> {
  const template = await find(id).catch((error: unknown) => {
    const unknown = error instanceof AppError && /^api\.(?:template|id)\./.test(error.code)
    throw unknown ? unusable('there is no stored template of that ID') : error
  })
  if (template.format.id !== 'docx' && template.format.id !== 'odt')
    throw unusable(`it is of type ${template.format.id}`)
  return template
}

function unusable(because: string): AppError {
  return new AppError('template.style-source', { because })
}

/** Where the ID of the style source leads, for who may see it. */
export function findStored(
  account: string | undefined,
  open: (ref: ReturnType<typeof parseTemplateRef>, account: string) => Promise<RenderTemplate>,
): Styling['find'] {
  return async (id) => {
    if (account === undefined) throw unusable('there are no stored templates here')
    return open(parseTemplateRef(id), account)
  }
}
