import type {
  CheckTemplateAnswer,
  DiffTemplateAnswer,
  DiffTemplateQuery,
  GetChecksAnswer,
  ListCategoriesAnswer,
  ListTemplatesAnswer,
  ListTemplatesQuery,
  PatchTemplateAnswer,
  PatchTemplateBody,
  PreviewTemplateQuery,
  PutChecksAnswer,
  PutChecksBody,
  UploadTemplateAnswer,
  UploadTemplateBody,
} from './api.ts'
import { PlatenDocument } from './document.ts'
import { type FileSource, formWithFile, isFile, jsonBody, jsonBodyWithFile } from './source.ts'
import type { CallOptions, MakingOptions, Transport } from './transport.ts'

export type Template = ListTemplatesAnswer['data'][number]
/** The ids of an upload: `id` and `versionId` with versioning, `templateId` without. */
export type UploadedTemplate = UploadTemplateAnswer['data']
/** The ids of an upload with versioning. */
export type UploadedVersion = Extract<UploadedTemplate, { readonly versionId: string }>

export interface UploadFields extends Omit<UploadTemplateBody, 'template'> {
  /** The name of the file, whose extension determines the format if the content does not. */
  readonly fileName?: string
}

/** One test case of a template: the render, and the expected properties of the document. */
export type CheckCase = PutChecksBody['cases'][number]
/** The results of the test cases of a template. */
export type CheckReport = CheckTemplateAnswer['data']

export interface CheckOptions {
  /** Test cases to use instead of the stored ones. A template that is passed as a file has no stored ones. */
  readonly cases?: readonly CheckCase[]
  /** Only the cases with these names. */
  readonly names?: readonly string[]
  /** Whether the report contains the pages as they look now, for `png` of a case. */
  readonly pictures?: boolean
  /** A version of the template, instead of the deployed one. */
  readonly versionId?: string
}

/** The stored templates of the account. */
export class Templates {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Stores a template. A new version needs `versioning: true` or the `id` of the template. */
  upload(
    file: FileSource,
    fields: UploadFields & ({ readonly versioning: true } | { readonly id: string }),
    options?: MakingOptions,
  ): Promise<UploadedVersion>
  upload(file: FileSource, fields?: UploadFields, options?: MakingOptions): Promise<UploadedTemplate>
  async upload(
    file: FileSource,
    fields: UploadFields = {},
    options: MakingOptions = {},
  ): Promise<UploadedTemplate> {
    const { fileName, ...given } = fields
    const name = fileName ?? ('name' in file && typeof file.name === 'string' ? file.name : 'template')
    const texts = Object.entries(given).flatMap(([field, value]): [string, string][] =>
      value === undefined ? [] : [[field, typeof value === 'string' ? value : JSON.stringify(value)]],
    )
    const body = await formWithFile(Object.fromEntries(texts), file, {
      name,
      streams: this.#transport.streams,
    })
    // Without versions it is stored under the hash of its content, so storing it twice has no further effect.
    const versioned = given.versioning === true || given.id !== undefined
    return this.#data<UploadTemplateAnswer>('POST', '/template', {
      ...options,
      body,
      repeat: versioned ? 'keyed' : 'always',
    })
  }

  /** The file of a template: of the deployed version, or of a Version ID. */
  async download(id: string, options: CallOptions = {}): Promise<PlatenDocument> {
    const path = `/template/${encodeURIComponent(id)}`
    return new PlatenDocument(
      await this.#transport.send({ ...options, method: 'GET', path, repeat: 'always' }),
    )
  }

  /**
   * A page of a template as a picture. `pages` is the number of pages, if the service states it. Throws NotFoundError
   * for a page that does not exist.
   */
  async preview(
    id: string,
    query: PreviewTemplateQuery = {},
    options: CallOptions = {},
  ): Promise<PlatenDocument> {
    const path = `/template/${encodeURIComponent(id)}/preview`
    const sent = { ...options, method: 'GET', path, query: { ...query }, repeat: 'always' } as const
    return new PlatenDocument(await this.#transport.send(sent))
  }

  /** The differences between two versions of a template. Without `to` the newer one is the deployed version. */
  diff(
    id: string,
    query: DiffTemplateQuery & { readonly from: string },
    options: CallOptions = {},
  ): Promise<DiffTemplateAnswer['data']> {
    const path = `/template/${encodeURIComponent(id)}/diff`
    return this.#data<DiffTemplateAnswer>('GET', path, { ...options, query: { ...query }, repeat: 'always' })
  }

  /** The test cases of a version. Without `versionId`, those of the deployed version. */
  async cases(
    id: string,
    query: { readonly versionId?: string } = {},
    options: CallOptions = {},
  ): Promise<readonly CheckCase[]> {
    const path = `/template/${encodeURIComponent(id)}/checks`
    const sent = { ...options, query: { ...query }, repeat: 'always' } as const
    return (await this.#data<GetChecksAnswer>('GET', path, sent)).cases
  }

  /** Replaces the test cases of a version. The next version that is stored inherits them. */
  setCases(
    id: string,
    cases: readonly CheckCase[],
    query: { readonly versionId?: string } = {},
    options: CallOptions = {},
  ): Promise<PutChecksAnswer['data']> {
    const path = `/template/${encodeURIComponent(id)}/checks`
    const body = jsonBody({ cases })
    return this.#data<PutChecksAnswer>('PUT', path, {
      ...options,
      query: { ...query },
      body,
      repeat: 'always',
    })
  }

  /**
   * Renders the test cases of a stored template, or the given ones of a stored template or file, and returns the
   * differences.
   */
  async check(
    template: string | FileSource,
    { versionId, ...request }: CheckOptions = {},
    options: CallOptions = {},
  ): Promise<CheckReport> {
    const inline = isFile(template)
    const path = inline ? '/template/check' : `/template/${encodeURIComponent(template)}/check`
    const body = inline
      ? await jsonBodyWithFile(request, template, this.#transport.streams)
      : jsonBody(request)
    const query = inline ? {} : { versionId }
    return this.#data<CheckTemplateAnswer>('POST', path, { ...options, query, body, repeat: 'refused' })
  }

  /** One page of deployed templates. */
  async page(query: ListTemplatesQuery = {}, options: CallOptions = {}): Promise<ListTemplatesAnswer> {
    const sent = {
      ...options,
      method: 'GET',
      path: '/templates',
      query: { ...query },
      repeat: 'always',
    } as const
    return (await (await this.#transport.send(sent)).json()) as ListTemplatesAnswer
  }

  /** All deployed templates, page after page. */
  async *list(
    query: ListTemplatesQuery = {},
    options: CallOptions = {},
  ): AsyncGenerator<Template, void, undefined> {
    for (let cursor = query.cursor; ; ) {
      const page = await this.page({ ...query, ...(cursor === undefined ? {} : { cursor }) }, options)
      yield* page.data
      if (!page.hasMore) return
      cursor = page.nextCursor
    }
  }

  /** Changes the metadata of a version, or moves it to another Template ID. */
  update(
    id: string,
    fields: PatchTemplateBody,
    options: CallOptions = {},
  ): Promise<PatchTemplateAnswer['data']> {
    const path = `/template/${encodeURIComponent(id)}`
    const body = jsonBody(fields)
    return this.#data<PatchTemplateAnswer>('PATCH', path, { ...options, body, repeat: 'refused' })
  }

  /** Deletes a version, or all versions of a Template ID. */
  async delete(id: string, options: CallOptions = {}): Promise<void> {
    const path = `/template/${encodeURIComponent(id)}`
    await this.#transport.send({ ...options, method: 'DELETE', path, repeat: 'refused' })
  }

  /** The categories of deployed templates, by name. */
  async categories(options: CallOptions = {}): Promise<readonly string[]> {
    return this.#names('/templates/categories', options)
  }

  /** The tags of deployed templates, by name. */
  async tags(options: CallOptions = {}): Promise<readonly string[]> {
    return this.#names('/templates/tags', options)
  }

  async #names(path: string, options: CallOptions): Promise<readonly string[]> {
    const data = await this.#data<ListCategoriesAnswer>('GET', path, { ...options, repeat: 'always' })
    return data.map(({ name }) => name)
  }

  async #data<Answer extends { readonly data: unknown }>(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH',
    path: string,
    sent: Omit<Parameters<Transport['send']>[0], 'method' | 'path'>,
  ): Promise<Answer['data']> {
    const response = await this.#transport.send({ ...sent, method, path })
    return ((await response.json()) as Answer).data
  }
}
