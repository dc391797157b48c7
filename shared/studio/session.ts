import { readDataUri, toBase64, toDataUri } from './model/base64.ts'
import {
  type Client,
  createClient,
  type Findings,
  ServiceError,
  type StoredTemplate,
} from './model/client.ts'
import type { StudioConfig } from './model/config.ts'
import { detectKind, kindOf, withoutExtension } from './model/files.ts'
import { mergeOptions, outputName, type RenderOptions, renderBody, reportedOptions } from './model/options.ts'
import { type Output, outputsFor, type Pair } from './model/outputs.ts'
import { emptyState, type Notice, type OpenTemplate, type Part, type Preview, type State } from './state.ts'

/** Typing rests so long before a preview is made of it. */
const restMs = 400

/**
 * What the studio does, without a page: the open template, its options, what came of them. The views in `view/` show its
 * state and call it, `element.ts` makes methods and events of it, `stored.ts` is what it does with stored templates.
 */
export class Session {
  readonly state: State
  readonly client: Client
  readonly notify: (notice: Notice) => void
  private readonly listeners = new Set<(parts: ReadonlySet<Part>) => void>()
  private pairs: Promise<readonly Pair[]> | undefined
  private timer: ReturnType<typeof setTimeout> | undefined
  private work = new AbortController()
  private base64: { readonly of: Uint8Array; readonly text: string } | undefined
  /** Options that came with a template: they go with it, unless they were changed since. */
  private brought: RenderOptions = {}
  /** What was to be opened and was refused for want of a token. */
  private refused: string | undefined
  /** Counts what was opened: answers to what is no longer open are dropped. */
  turn = 0

  constructor(config: StudioConfig, notify: (notice: Notice) => void) {
    this.state = emptyState(config)
    this.notify = notify
    this.client = createClient(() => {
      const { origin, token, version, fetchOverride } = this.state.config
      return { origin, token, version, fetch: fetchOverride }
    })
  }

  listen(listener: (parts: ReadonlySet<Part>) => void): void {
    this.listeners.add(listener)
  }

  change(changes: Partial<State>, ...more: readonly Part[]): void {
    Object.assign(this.state, changes)
    const parts = new Set([...(Object.keys(changes) as (keyof State)[]), ...more])
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

  /** `from` says who set them: a site is not told of what it said itself. */
  setOptions(changes: RenderOptions, from: 'user' | 'site' = 'user'): void {
    this.change({ options: mergeOptions(this.state.options, changes) })
    if (from === 'user') this.tellOptions()
    this.soon()
  }

  /** A Template ID or a Version ID. Throws ServiceError, as all that opens something. */
  async openStored(ref: string): Promise<void> {
    const turn = this.begin()
    this.refused = ref
    await this.watched(async () => {
      const [file, sample, listed] = await Promise.all([
        this.client.templateFile(ref),
        // Where a site does not let this call through there is none.
        this.client.sample(ref).catch(() => undefined),
        this.describe(ref),
      ])
      const bytes = await bytesOf(file.blob)
      if (turn !== this.turn) return
      const kind = listed === undefined ? detectKind(bytes, file) : kindOf(listed.type)
      const name = listed?.name || withoutExtension(file.name) || ref
      const stored = listed ?? unlisted(ref, { name, type: kind.type, size: bytes.length })
      const about = { ...stored, sample: sample === undefined ? [] : [sample] }
      this.refused = undefined
      await this.opening({ name, kind, bytes, stored, changed: false }, sample, about)
    })
  }

  async openUrl(url: string): Promise<void> {
    const turn = this.begin()
    await this.watched(async () => {
      const file = await this.client.file(url)
      const bytes = await bytesOf(file.blob)
      if (turn !== this.turn) return
      const last = /([^/]*)\/*$/.exec(new URL(url, this.state.config.origin).pathname)?.[1] ?? ''
      await this.openingFile(file.name || decodeURIComponent(last), bytes, file.mime)
    })
  }

  /** Throws TypeError for what is no data URI. */
  async openDataUri(uri: string, name = ''): Promise<void> {
    const read = readDataUri(uri)
    if (read === undefined) throw new TypeError('This is no data URI.')
    this.begin()
    await this.watched(() => this.openingFile(name, read.bytes, read.mime))
  }

  /** A file that the user chose, as a template of its own. */
  async openFile(name: string, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    this.begin()
    await this.watched(() => this.openingFile(name, bytes, ''))
    // For a site that keeps its templates itself this is what it now has.
    if (this.state.config.mode === 'embedded') this.tellUpdated()
  }

  /** Whether a file can be a new state of the open template: it is of the same type. */
  fits(name: string, bytes: Uint8Array): boolean {
    return this.state.template?.kind.type === detectKind(bytes, { name }).type
  }

  /** The open template has changed: these are its bytes now. */
  replaceFile(bytes: Uint8Array<ArrayBuffer>): void {
    this.replaceBytes(bytes, 'content')
  }

  /** The text of a template of text, as it is typed. */
  setText(text: string): void {
    this.replaceBytes(new TextEncoder().encode(text))
  }

  setLive(live: boolean): void {
    this.change({ live })
    if (live) this.soon()
  }

  /** The model of the data is asked for where somebody looks at it. */
  async loadModel(): Promise<void> {
    const { template, model } = this.state
    if (template === undefined || model !== undefined) return
    const { data: _, ...body } = this.bodyOf(template)
    const found = await this.client.model(body)
    if (this.state.template?.bytes === template.bytes) this.change({ model: found })
  }

  /** The sample that the service makes up becomes the data. */
  async useSample(): Promise<void> {
    await this.loadModel()
    if (this.state.model === undefined) return
    this.brought = this.state.model.sample
    this.setOptions(this.brought)
  }

  /** Data that did not come with the template: somebody typed them. */
  get hasOwnData(): boolean {
    const { data } = this.state.options
    return data !== undefined && data !== this.brought.data
  }

  /** One preview and one list of problems, at once; what was under way is given up. */
  async renew(): Promise<void> {
    clearTimeout(this.timer)
    this.work.abort()
    const { template } = this.state
    if (template === undefined) return
    const { signal } = (this.work = new AbortController())
    this.change({ busy: true })
    const body = this.bodyOf(template)
    const started = performance.now()
    const [preview, findings] = await Promise.all([
      this.client.render(body, signal).then(
        (file): Preview => ({ kind: 'made', file, ms: performance.now() - started }),
        (error: unknown) => (signal.aborted ? ({ kind: 'none' } as const) : this.failed(error)),
      ),
      this.client.lint(body, signal).catch(findingsIn),
    ])
    if (!signal.aborted) this.change({ preview, findings, busy: false })
  }

  /** The template goes, the options stay. */
  close(): void {
    this.begin()
    const { template, outputs, busy, preview, findings, model, versions } = emptyState(this.state.config)
    this.change({ template, outputs, busy, preview, findings, model, versions }, 'content')
  }

  /** Template and options go; the configuration stays. */
  reset(): void {
    this.close()
    this.change({ options: {} })
  }

  /** Ends all that runs. */
  destroy(): void {
    this.close()
    this.listeners.clear()
  }

  /** The letters of the template's bytes. They are the same for many previews. */
  private base64Of(bytes: Uint8Array): string {
    if (this.base64?.of !== bytes) this.base64 = { of: bytes, text: toBase64(bytes) }
    return this.base64.text
  }

  /** What keeps something from being shown. */
  failed(error: unknown): Extract<Preview, { kind: 'failed' }> {
    if (error instanceof ServiceError && error.status === 401) this.change({ needsToken: true })
    return { kind: 'failed', message: error instanceof Error ? error.message : String(error) }
  }

  private begin(): number {
    this.refused = undefined
    clearTimeout(this.timer)
    this.work.abort()
    return ++this.turn
  }

  private openingFile(name: string, bytes: Uint8Array<ArrayBuffer>, mime: string): Promise<void> {
    const kind = detectKind(bytes, { name, mime })
    const bare = withoutExtension(name)
    const about = { name: bare, type: kind.type, size: bytes.length, createdAt: seconds() }
    return this.opening({ name: bare, kind, bytes, stored: undefined, changed: false }, undefined, about)
  }

  /** From here on this is the open template. Its sample becomes the data; without one, and without data, one made up. */
  private async opening(
    template: OpenTemplate,
    sample: RenderOptions | undefined,
    about: Readonly<Record<string, unknown>>,
  ): Promise<void> {
    const { turn } = this
    const { outputs: none, preview, findings, model, versions } = emptyState(this.state.config)
    this.change({ template, outputs: none, preview, findings, model, versions, busy: true }, 'content')
    this.notify({ type: 'template:loaded', detail: about })
    const outputs = await this.outputsOf(template.kind.type)
    if (turn !== this.turn) return
    this.change({ outputs })
    const asks = without(this.state.options, this.brought).data === undefined
    const start = sample ?? (asks ? await this.madeUp(template) : undefined)
    if (turn !== this.turn) return
    const own = without(this.state.options, this.brought)
    this.brought = start ?? {}
    const output = possibleOutput(own, template.kind.type, outputs)
    this.change({ options: mergeOptions({ ...own, ...output }, this.brought) })
    this.tellOptions()
    await this.renew()
  }

  /** Data that fits, for a template that came with none. What cannot be looked into has no tags. */
  private async madeUp(template: OpenTemplate): Promise<RenderOptions | undefined> {
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
    this.tellUpdated()
    this.soon()
  }

  /** Where versions are kept, a changed template is told of when it is saved. */
  private tellUpdated(): void {
    const { template, config } = this.state
    if (template === undefined || config.mode === 'embedded-versioning') return
    const { kind, bytes } = template
    const dataURI = toDataUri(kind.mime, bytes)
    this.notify({ type: 'template:updated', detail: { createdAt: seconds(), type: kind.type, dataURI } })
  }

  private tellOptions(): void {
    this.notify({ type: 'options:updated', detail: reportedOptions(this.state.options) })
  }

  private soon(): void {
    clearTimeout(this.timer)
    if (this.state.live && this.state.template !== undefined)
      this.timer = setTimeout(() => void this.renew(), restMs)
  }

  /** What fails to open is shown where a preview would be, and told to the caller. */
  private async watched(run: () => Promise<void>): Promise<void> {
    const { turn } = this
    try {
      await run()
    } catch (error) {
      if (turn === this.turn) this.change({ preview: this.failed(error), busy: false })
      throw error
    }
  }

  /** Lists are not to be had everywhere: a service without a database, a site that passes on few calls. */
  private async describe(ref: string): Promise<StoredTemplate | undefined> {
    const query: Record<string, string> = isVersion(ref)
      ? { versionId: ref, includeVersions: 'true' }
      : { id: ref }
    return this.client.list({ ...query, limit: '1' }).then(
      ({ data }) => data[0],
      () => undefined,
    )
  }

  private async outputsOf(type: string): Promise<readonly Output[]> {
    this.pairs ??= this.client.conversions()
    try {
      return outputsFor(await this.pairs, type)
    } catch {
      this.pairs = undefined
      // A site that passes on few calls: PDF is what nearly everything becomes.
      return outputsFor([{ from: type, to: 'pdf', converters: [] }], type)
    }
  }

  private bodyOf({ bytes, kind }: OpenTemplate): Record<string, unknown> {
    return renderBody(this.base64Of(bytes), kind, this.state.options)
  }
}

/** Options but for those that are the very ones of `taken`. */
function without(options: RenderOptions, taken: RenderOptions): RenderOptions {
  const gone = new Map(Object.entries(taken))
  return Object.fromEntries(Object.entries(options).filter(([name, value]) => gone.get(name) !== value))
}

/** PDF, unless an output was chosen that this type can become too; with the engine that was chosen where it makes that. */
function possibleOutput(options: RenderOptions, type: string, outputs: readonly Output[]): RenderOptions {
  const wanted = outputName(options)
  if (wanted === type) return {}
  const chosen = outputs.find(({ name }) => name === wanted) ?? outputs.find(({ name }) => name === 'pdf')
  const { converter } = options
  const known = converter === 'auto' || (converter !== undefined && chosen?.converters.includes(converter))
  return {
    ...(chosen?.name !== wanted && { convertTo: chosen?.name }),
    ...(!known && { converter: undefined }),
  }
}

/** A render that fails on its template lists the problems itself. */
function findingsIn(error: unknown): Findings | undefined {
  const errors = error instanceof ServiceError ? error.problems : []
  return errors.length > 0 ? { errors, warnings: [] } : undefined
}

function isVersion(ref: string): boolean {
  return /^[0-9a-f]{64}$/i.test(ref)
}

/** What is known of a stored template that no list tells of. */
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
