import { readDataUri, toBase64, toDataUri } from './model/base64.ts'
import {
  type CheckResult,
  createClient,
  type RenderedFile,
  ServiceError,
  type StoredTemplate,
  type StudioClient,
} from './model/client.ts'
import type { StudioConfig } from './model/config.ts'
import { detectKind, kindOf, withoutExtension } from './model/files.ts'
import {
  type DataSet,
  dataSetOf,
  mergeOptions,
  outputName,
  renderBody,
  reportedOptions,
  type StudioOptions,
} from './model/options.ts'
import { type OutputChoice, type OutputPair, outputsFor } from './model/outputs.ts'
import { pageBody, showsPages } from './model/pages.ts'
import {
  emptyState,
  type OpenTemplate,
  type Preview,
  type RenderedPages,
  type StatePart,
  type StudioEvent,
  type StudioState,
} from './state.ts'

/**
 * Delay after the last key press before a preview is rendered, in ms. For previews of pages it is the duration of the
 * last one, within these bounds: fast ones follow each key, slow ones do not burden the service with every letter.
 */
const [minRestMs, restMs] = [30, 400]
/** Delay after which a preview of pages is shown as being rendered, so that fast ones do not flicker. */
const quickMs = 300

/**
 * The studio without a page: the open template, its options, and the result. The views in `view/` show its
 * state and call it, `element.ts` offers it as methods and events, and `stored.ts` has the actions on stored
 * templates.
 */
export class Session {
  readonly state: StudioState
  readonly client: StudioClient
  readonly notify: (notice: StudioEvent) => void
  private readonly listeners = new Set<(parts: ReadonlySet<StatePart>) => void>()
  private pairs: Promise<readonly OutputPair[]> | undefined
  /** The types that the service converts, once they have been requested. */
  private served: ReadonlySet<string> = new Set()
  private timer: ReturnType<typeof setTimeout> | undefined
  private work = new AbortController()
  private base64: { readonly of: Uint8Array; readonly text: string } | undefined
  /** Options that came with the template. They are removed with it unless the user has changed them. */
  private brought: StudioOptions = {}
  /** The template that could not be opened because a token was missing. */
  private refused: string | undefined
  /** Counts opened templates. Answers for a template that is no longer open are dropped. */
  generation = 0
  /** The first visible page, which is drawn first. */
  viewedPage = 1

  constructor(config: StudioConfig, notify: (notice: StudioEvent) => void) {
    this.state = emptyState(config)
    this.notify = notify
    this.client = createClient(() => {
      const { origin, token, version, fetchOverride } = this.state.config
      return { origin, token, version, fetch: fetchOverride }
    })
  }

  listen(listener: (parts: ReadonlySet<StatePart>) => void): void {
    this.listeners.add(listener)
  }

  change(changes: Partial<StudioState>, ...more: readonly StatePart[]): void {
    Object.assign(this.state, changes)
    const parts = new Set([...(Object.keys(changes) as (keyof StudioState)[]), ...more])
    for (const listener of [...this.listeners]) listener(parts)
  }

  configure(config: StudioConfig): void {
    const before = this.state.config
    const otherService = before.origin !== config.origin || before.fetchOverride !== config.fetchOverride
    const otherToken = before.token !== config.token
    if (otherService || otherToken) this.pairs = undefined
    this.change({ config, ...((otherService || otherToken) && { needsToken: false }) })
    if (!otherService && !otherToken) return
    if (this.refused !== undefined) this.openStored(this.refused).catch(() => undefined)
    else void this.renew()
  }

  /** Changes options. `from` is who changed them: a site is not notified of its own changes. */
  setOptions(changes: StudioOptions, from: 'user' | 'site' = 'user'): void {
    this.change({ options: mergeOptions(this.state.options, changes) })
    if (from === 'user') this.notifyOptions()
    this.scheduleRender()
  }

  /** Opens a Template ID or a Version ID. Throws ServiceError, like every method that opens a template. */
  async openStored(ref: string): Promise<void> {
    const generation = this.begin()
    this.refused = ref
    await this.watched(async () => {
      const [file, sample, listed] = await Promise.all([
        this.client.templateFile(ref),
        // A site that does not forward this call has no samples.
        this.client.sample(ref).catch(() => undefined),
        this.describe(ref),
      ])
      const bytes = await bytesOf(file.blob)
      if (generation !== this.generation) return
      const kind = listed === undefined ? detectKind(bytes, file) : kindOf(listed.type)
      const name = listed?.name || withoutExtension(file.name) || ref
      const stored = listed ?? unlisted(ref, { name, type: kind.type, size: bytes.length })
      const loaded = { ...stored, sample: sample === undefined ? [] : [sample] }
      this.refused = undefined
      await this.opening({ name, kind, bytes, stored, changed: false }, sample, loaded)
    })
  }

  async openUrl(url: string): Promise<void> {
    const generation = this.begin()
    await this.watched(async () => {
      const file = await this.client.file(url)
      const bytes = await bytesOf(file.blob)
      if (generation !== this.generation) return
      const last = /([^/]*)\/*$/.exec(new URL(url, this.state.config.origin).pathname)?.[1] ?? ''
      await this.openingFile(file.name || decodeURIComponent(last), bytes, file.mime)
    })
  }

  /** Throws TypeError for a text that is not a data URI. */
  async openDataUri(uri: string, name = ''): Promise<void> {
    const read = readDataUri(uri)
    if (read === undefined) throw new TypeError('This is not a data URI.')
    this.begin()
    await this.watched(() => this.openingFile(name, read.bytes, read.mime))
  }

  /** Opens a file that the user chose, as a new template. */
  async openFile(name: string, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    this.begin()
    await this.watched(() => this.openingFile(name, bytes, ''))
    // A site that stores its templates itself has to receive this one.
    if (this.state.config.mode === 'embedded') this.notifyUpdated()
  }

  /** Whether a file can be a new state of the open template, which is the case for the same type. */
  fits(name: string, bytes: Uint8Array): boolean {
    return this.state.template?.kind.type === detectKind(bytes, { name }, this.served).type
  }

  /** Replaces the bytes of the open template. */
  replaceFile(bytes: Uint8Array<ArrayBuffer>): void {
    this.replaceBytes(bytes, 'content')
  }

  /** Replaces the text of a template that is edited as text. */
  setText(text: string): void {
    this.replaceBytes(new TextEncoder().encode(text))
  }

  setLive(live: boolean): void {
    this.change({ live })
    if (live) this.scheduleRender()
  }

  /** The current number of errors of the open template; that of the last check if the service does not answer. */
  async countErrors(): Promise<number> {
    const { template, checks } = this.state
    if (template === undefined) return 0
    const result = await this.client.lint(this.bodyOf(template)).catch(checkResultIn)
    return (result ?? checks)?.errors.length ?? 0
  }

  /** Loads the model of the data, which is done only when it is shown. */
  async loadModel(): Promise<void> {
    const { template, model } = this.state
    if (template === undefined || model !== undefined) return
    const { data: _, ...body } = this.bodyOf(template)
    const inferred = await this.client.model(body)
    if (this.state.template?.bytes === template.bytes) this.change({ model: inferred })
  }

  /** Uses the sample that the service generates as the data. */
  async useSample(): Promise<void> {
    await this.loadModel()
    if (this.state.model === undefined) return
    this.useData(this.state.model.sample)
  }

  /** Uses data that were not typed. They are removed with the template, like those that came with it. */
  useData(data: DataSet): void {
    this.brought = data
    this.setOptions(data)
  }

  /** Whether the user typed data, so that they did not come with the template. */
  get hasOwnData(): boolean {
    const typed = dataSetOf(without(this.state.options, this.brought))
    return Object.values(typed).some((value) => value !== undefined)
  }

  /** Renders a preview and checks the template at the same time. Work in progress is aborted. */
  async renew(): Promise<void> {
    clearTimeout(this.timer)
    this.work.abort()
    const { template } = this.state
    if (template === undefined) return
    const { signal } = (this.work = new AbortController())
    const body = this.bodyOf(template)
    const checking = this.client.lint(body, signal).catch(checkResultIn)
    if (showsPages(template.kind, this.state.options, this.state.outputs))
      return this.renewPages(body, checking, signal)
    this.change({ busy: true })
    const started = performance.now()
    const [preview, checks] = await Promise.all([
      this.client.render(body, signal).then(
        (file): Preview => ({ kind: 'made', file, ms: performance.now() - started }),
        (error: unknown) => (signal.aborted ? ({ kind: 'none' } as const) : this.failed(error)),
      ),
      checking,
    ])
    if (!signal.aborted) this.change({ preview, checks, busy: false })
  }

  /** Renders the first visible page. The others are rendered when they become visible. */
  private async renewPages(
    body: Readonly<Record<string, unknown>>,
    checking: Promise<CheckResult | undefined>,
    signal: AbortSignal,
  ): Promise<void> {
    const slow = setTimeout(() => !signal.aborted && this.change({ busy: true }), quickMs)
    const started = performance.now()
    let preview: Preview
    try {
      const pages = await this.drawPages(body, signal)
      preview = { kind: 'pages', pages, ms: performance.now() - started }
      // The checks may take longer, and pages need not wait for them.
      if (!signal.aborted) this.change({ preview, busy: false })
    } catch (error) {
      preview = this.failed(error)
    } finally {
      clearTimeout(slow)
    }
    const checks = await checking
    if (!signal.aborted) this.change({ preview, checks, busy: false })
  }

  private async drawPages(
    body: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<RenderedPages> {
    const { client } = this
    let number = this.viewedPage
    // A document that became shorter may lack the page.
    const page = await client.page(pageBody(body, number), signal).catch((error: unknown) => {
      if (number === 1 || signal.aborted) throw error
      number = 1
      return client.page(pageBody(body, number), signal)
    })
    return {
      count: page.count,
      first: { number, picture: page.blob },
      draw: async (other, pageSignal) => (await client.page(pageBody(body, other), pageSignal)).blob,
      warnings: page.warnings,
      converters: page.converters,
    }
  }

  /** Renders the document as a file. The preview shows the reason of a failure. */
  async renderFile(): Promise<RenderedFile | undefined> {
    const { template, preview } = this.state
    if (preview.kind === 'made') return preview.file
    if (template === undefined) return undefined
    this.change({ busy: true })
    try {
      return await this.client.render(this.bodyOf(template))
    } catch (error) {
      this.change({ preview: this.failed(error) })
      return undefined
    } finally {
      this.change({ busy: false })
    }
  }

  /** The open template as base64, as it is now. */
  openFile64(): string | undefined {
    const { template } = this.state
    return template === undefined ? undefined : this.base64Of(template.bytes)
  }

  /** The fields of a render that the preview shows, without the template. */
  currentRequest(): Readonly<Record<string, unknown>> | undefined {
    const { template } = this.state
    if (template === undefined) return undefined
    const { template: _, ...request } = this.bodyOf(template)
    return request
  }

  /** Closes the template and keeps the options. */
  close(): void {
    this.begin()
    const { template, outputs, busy, preview, checks, model, ...stored } = emptyState(this.state.config)
    const { versions, cases, reports, casesNote, batch } = stored
    if (this.state.batch.kind === 'running') this.state.batch.stop.abort()
    this.change(
      { template, outputs, busy, preview, checks, model, versions, cases, reports, casesNote, batch },
      'content',
    )
  }

  /** Closes the template and removes the options; the configuration is kept. */
  reset(): void {
    this.close()
    this.change({ options: {} })
  }

  /** Ends all work. */
  destroy(): void {
    this.close()
    this.listeners.clear()
  }

  /** The template in base64, cached because many previews need the same one. */
  private base64Of(bytes: Uint8Array): string {
    if (this.base64?.of !== bytes) this.base64 = { of: bytes, text: toBase64(bytes) }
    return this.base64.text
  }

  /** Turns an error into the preview that shows it. */
  failed(error: unknown): Extract<Preview, { kind: 'failed' }> {
    if (error instanceof ServiceError && error.status === 401) this.change({ needsToken: true })
    return { kind: 'failed', message: error instanceof Error ? error.message : String(error) }
  }

  private begin(): number {
    this.refused = undefined
    clearTimeout(this.timer)
    this.work.abort()
    this.viewedPage = 1
    return ++this.generation
  }

  private async openingFile(name: string, bytes: Uint8Array<ArrayBuffer>, mime: string): Promise<void> {
    let kind = detectKind(bytes, { name, mime }, this.served)
    if (kind.type === '') {
      const { generation } = this
      await this.loadPairs().catch(() => undefined)
      if (generation !== this.generation) return
      kind = detectKind(bytes, { name, mime }, this.served)
    }
    const baseName = withoutExtension(name)
    const initial = { name: baseName, type: kind.type, size: bytes.length, createdAt: seconds() }
    return this.opening(
      { name: baseName, kind, bytes, stored: undefined, changed: false },
      undefined,
      initial,
    )
  }

  /**
   * Makes this the open template. Its sample becomes the data. Without a sample, and when there are no data
   * yet, the service generates one.
   */
  private async opening(
    template: OpenTemplate,
    sample: StudioOptions | undefined,
    initial: Readonly<Record<string, unknown>>,
  ): Promise<void> {
    const { generation } = this
    const { outputs: none, preview, checks, model, ...stored } = emptyState(this.state.config)
    const { versions, cases, reports, casesNote } = stored
    this.change(
      { template, outputs: none, preview, checks, model, versions, cases, reports, casesNote, busy: true },
      'content',
    )
    this.notify({ type: 'template:loaded', detail: initial })
    const outputs = await this.outputsOf(template.kind.type)
    if (generation !== this.generation) return
    this.change({ outputs })
    const asks = without(this.state.options, this.brought).data === undefined
    const start = sample ?? (asks ? await this.madeUp(template) : undefined)
    if (generation !== this.generation) return
    const remaining = without(this.state.options, this.brought)
    this.brought = start ?? {}
    const output = possibleOutput(remaining, template.kind.type, outputs)
    this.change({ options: mergeOptions({ ...remaining, ...output }, this.brought) })
    this.notifyOptions()
    await this.renew()
  }

  /** Returns generated data for a template without a sample. A file that cannot be inspected has no tags. */
  private async madeUp(template: OpenTemplate): Promise<StudioOptions | undefined> {
    try {
      const { data: _, ...body } = this.bodyOf(template)
      const model = await this.client.model(body)
      if (this.state.template === template) this.change({ model })
      return model.sample
    } catch {
      return undefined
    }
  }

  private replaceBytes(bytes: Uint8Array<ArrayBuffer>, ...more: readonly 'content'[]): void {
    const { template } = this.state
    if (template === undefined) return
    this.change({ template: { ...template, bytes, changed: true }, model: undefined }, ...more)
    this.notifyUpdated()
    this.scheduleRender()
  }

  /**
   * Notifies the site of a changed template. A site that stores versions is notified when the template is
   * saved instead.
   */
  private notifyUpdated(): void {
    const { template, config } = this.state
    if (template === undefined || config.mode === 'embedded-versioning') return
    const { kind, bytes } = template
    const dataURI = toDataUri(kind.mime, bytes)
    this.notify({ type: 'template:updated', detail: { createdAt: seconds(), type: kind.type, dataURI } })
  }

  private notifyOptions(): void {
    this.notify({ type: 'options:updated', detail: reportedOptions(this.state.options) })
  }

  private scheduleRender(): void {
    clearTimeout(this.timer)
    const { live, template, preview } = this.state
    const wait = preview.kind === 'pages' ? Math.min(Math.max(preview.ms, minRestMs), restMs) : restMs
    if (live && template !== undefined) this.timer = setTimeout(() => void this.renew(), wait)
  }

  /** Shows the reason of a failure in place of the preview, and throws it to the caller. */
  private async watched(run: () => Promise<void>): Promise<void> {
    const { generation } = this
    try {
      await run()
    } catch (error) {
      if (generation === this.generation) this.change({ preview: this.failed(error), busy: false })
      throw error
    }
  }

  /**
   * Lists are not available everywhere: not on a service without a database, nor on a site that forwards few
   * calls.
   */
  private async describe(ref: string): Promise<StoredTemplate | undefined> {
    const query: Record<string, string> = isVersion(ref)
      ? { versionId: ref, includeVersions: 'true' }
      : { id: ref }
    return this.client.list({ ...query, limit: '1' }).then(
      ({ data }) => data[0],
      () => undefined,
    )
  }

  private async outputsOf(type: string): Promise<readonly OutputChoice[]> {
    try {
      return outputsFor(await this.loadPairs(), type)
    } catch {
      // On a site that forwards few calls, PDF is offered, because nearly everything can become one.
      return outputsFor([{ from: type, to: 'pdf', converters: [] }], type)
    }
  }

  private async loadPairs(): Promise<readonly OutputPair[]> {
    this.pairs ??= this.client.conversions()
    try {
      const pairs = await this.pairs
      this.served = new Set(pairs.map(({ from }) => from))
      return pairs
    } catch (error) {
      this.pairs = undefined
      throw error
    }
  }

  private bodyOf({ bytes, kind }: OpenTemplate): Record<string, unknown> {
    return renderBody(this.base64Of(bytes), kind, this.state.options)
  }
}

/** Returns the options without those that are the same values in `taken`. */
function without(options: StudioOptions, taken: StudioOptions): StudioOptions {
  const gone = new Map(Object.entries(taken))
  return Object.fromEntries(Object.entries(options).filter(([name, value]) => gone.get(name) !== value))
}

/** Returns the output that the new type can also become, or PDF, and keeps the engine when it can make it. */
function possibleOutput(
  options: StudioOptions,
  type: string,
  outputs: readonly OutputChoice[],
): StudioOptions {
  const requestedName = outputName(options)
  if (requestedName === type) return {}
  const chosen =
    outputs.find(({ name }) => name === requestedName) ?? outputs.find(({ name }) => name === 'pdf')
  const { converter } = options
  const isOffered =
    converter === 'auto' || (converter !== undefined && chosen?.converters.includes(converter))
  return {
    ...(chosen?.name !== requestedName && { convertTo: chosen?.name }),
    ...(!isOffered && { converter: undefined }),
  }
}

/** A render that fails because of its template lists the problems itself. */
function checkResultIn(error: unknown): CheckResult | undefined {
  const errors = error instanceof ServiceError ? error.problems : []
  return errors.length > 0 ? { errors, warnings: [] } : undefined
}

function isVersion(ref: string): boolean {
  return /^[0-9a-f]{64}$/i.test(ref)
}

/** The description of a stored template that is on no list. */
function unlisted(
  ref: string,
  { name, type, size }: Pick<StoredTemplate, 'name' | 'type' | 'size'>,
): StoredTemplate {
  const [id, versionId] = isVersion(ref) ? [null, ref] : [ref, '']
  const times = { createdAt: 0, deployedAt: 0, expireAt: 0 }
  return { id, versionId, name, type, size, ...times, category: '', comment: '', tags: [], origin: 0 }
}

function seconds(): number {
  return Math.floor(Date.now() / 1000)
}

async function bytesOf(blob: Blob): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await blob.arrayBuffer())
}
