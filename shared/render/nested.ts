import { parseTemplateRef } from '../api/ids.ts'
import { AppError } from '../errors/app-error.ts'
import type { Rendered } from './request.ts'
import type { RenderContext, RenderInput } from './state.ts'
import { storedTemplate } from './template.ts'

/**
 * How a template that another one appends becomes a PDF: with the options of the outer request, its own data, and no
 * further template behind it. Throws 'template.files.nested' where such a template appends one itself, and
 * 'template.files.failed' where the render has no stored templates.
 */
export function renderNestedWith(
  { services, request, signal, deadline, account, isNested }: RenderInput,
  renderDocument: (input: RenderInput) => Promise<Rendered>,
): RenderContext['renderNested'] {
  return async (template, data, merged) => {
    if (isNested) throw new AppError('template.files.nested')
    if (account === undefined)
      throw new AppError('template.files.failed', {
        formatter: 'appendTemplate',
        because: 'there are no stored templates here',
      })
    const { batch: _batch, reportName: _name, extension: _extension, ...rest } = request
    const { source } = await renderDocument({
      services,
      signal,
      deadline,
      account,
      template: await storedTemplate(services, account, parseTemplateRef(template)),
      request: {
        ...rest,
        ...(merged?.asked.lang !== undefined && { lang: merged.asked.lang }),
        data: { value: data },
        convertTo: { name: 'pdf' },
      },
      isNested: true,
    })
    return source
  }
}
