import { AppError } from '../errors/app-error.ts'
import { bytesOf } from '../plugin/byte-source.ts'
import type { ByteSource } from '../plugin/values.ts'
import { parseTemplateRef } from '../records/templates.ts'
import { storedTemplate } from '../services/templates.ts'
import type { Rendered } from './request.ts'
import type { RenderInput } from './state.ts'
import { inlineTemplate } from './template.ts'

/** A template that another template appends. */
export interface NestedTemplate {
  readonly template: string // its ID
  readonly data: unknown
  /** The language that the outer template specifies; absent: that of the request. */
  readonly lang?: string | undefined
}

/**
 * Renders an appended template to a PDF, with the options of the outer request and its own data. Throws
 * 'template.files.nested' if it appends a template itself, and 'template.files.failed' if the render has no stored templates.
 */
export async function renderNested(
  { services, request, signal, deadline, account, client, isNested }: RenderInput,
  renderDocument: (input: RenderInput) => Promise<Rendered>,
  { template, data, lang }: NestedTemplate,
): Promise<ByteSource> {
  if (isNested) throw new AppError('template.files.nested')
  if (account === undefined)
    throw new AppError('template.files.failed', {
      formatter: 'appendTemplate',
      because: 'this service stores no templates',
    })
  const { batch: _batch, reportName: _name, extension: _extension, invoice: _invoice, ...rest } = request
  const { source } = await renderDocument({
    services,
    signal,
    deadline,
    account,
    client,
    template: await storedTemplate(services, account, parseTemplateRef(template)),
    request: {
      ...rest,
      ...(lang !== undefined && { lang }),
      data: { value: data },
      convertTo: { name: 'pdf' },
    },
    isNested: true,
  })
  return source
}

/**
 * Renders the XML of an electronic invoice from the template that the request names, with the data of the request. Throws
 * 'invoice.template' if the result is not XML, and 'template.files.failed' if the render has no stored templates.
 */
export async function renderInvoice(
  { services, request, signal, deadline, account, client, item }: RenderInput,
  renderDocument: (input: RenderInput) => Promise<Rendered>,
  template: string,
): Promise<Uint8Array> {
  const isText = template.trimStart().startsWith('<')
  if (account === undefined && !isText)
    throw new AppError('template.files.failed', {
      formatter: 'invoice',
      because: 'this service stores no templates',
    })
  const {
    batch: _batch,
    reportName: _name,
    extension: _extension,
    invoice: _invoice,
    convertTo: _to,
    ...rest
  } = request
  const { source, format } = await renderDocument({
    services,
    signal,
    deadline,
    account,
    client,
    item,
    template:
      account === undefined || isText
        ? await inlineTemplate(services, new TextEncoder().encode(template.trimStart()))
        : await storedTemplate(services, account, parseTemplateRef(template)),
    request: rest,
    isNested: true,
  })
  if (format.extensions[0] !== 'xml') throw new AppError('invoice.template')
  return bytesOf(source)
}
