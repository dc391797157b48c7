import { readConfig, type StudioConfig } from './model/config.ts'
import { type RenderOptions, readOptions } from './model/options.ts'
import { Session } from './session.ts'
import type { Notice } from './state.ts'
import styles from './style/studio.css'
import { remembered } from './view/remembered.ts'
import { createWorkbench, type Workbench } from './view/workbench.ts'

let sheet: CSSStyleSheet | undefined

/**
 * `<platen-studio>`: the template workbench as an element of any site. Methods and events as docs/studio.md lists
 * them, and shows how it is built into a page.
 */
export class PlatenStudio extends HTMLElement {
  readonly #session: Session
  #workbench: Workbench | undefined
  #ended = false

  constructor() {
    super()
    const config: StudioConfig = {
      mode: 'embedded',
      // Where this file came from: '<service>/studio/element.js'.
      origin: new URL('..', import.meta.url).href.replace(/\/+$/, ''),
      token: '',
      version: 5,
      theme: 'auto',
      fetchOverride: undefined,
    }
    this.#session = new Session(config, (notice) => this.#tell(notice.type, notice.detail))
  }

  connectedCallback(): void {
    if (this.#ended) return
    this.#workbench ??= this.#build()
    // A script that comes behind this one shall be able to listen.
    setTimeout(() => this.isConnected && this.#tell('connected'))
  }

  disconnectedCallback(): void {
    this.#tell('disconnected')
  }

  /** `mode`, `origin`, `token`, `version`, `theme`, `fetchOverride`; what is left out stays. Throws TypeError. */
  setConfig(config: Partial<StudioConfig>): void {
    this.#session.configure(readConfig(config, this.#session.state.config))
  }

  /** Options of a render; what is left out stays, `undefined` takes one away. Throws TypeError. */
  setRenderOptions(options: RenderOptions): void {
    this.#session.setOptions(readOptions(options), 'site')
  }

  getRenderOptions(): RenderOptions {
    return { ...this.#session.state.options }
  }

  /** The deployed version of a Template ID. Settles when it is open and previewed; rejects when it does not open. */
  openTemplateId(id: string): Promise<void> {
    return this.#session.openStored(id)
  }

  openTemplateVersionId(versionId: string): Promise<void> {
    return this.#session.openStored(versionId)
  }

  /** A template of any address that this page may fetch. */
  openTemplateURL(url: string): Promise<void> {
    return this.#session.openUrl(url)
  }

  openTemplateDataURI(uri: string, name?: string): Promise<void> {
    return this.#session.openDataUri(uri, name)
  }

  /** Template and options go, the configuration stays. */
  reset(): void {
    this.#session.reset()
  }

  /** The template goes, the options stay. */
  close(): void {
    this.#session.close()
  }

  /** Ends all work and takes the element off its page; it cannot be used again. */
  destroy(): void {
    this.remove()
    this.#ended = true
    this.#session.destroy()
    this.#workbench?.destroy()
    this.#workbench?.node.remove()
  }

  #build(): Workbench {
    const root = this.shadowRoot ?? this.attachShadow({ mode: 'open' })
    if (sheet === undefined) {
      sheet = new CSSStyleSheet()
      sheet.replaceSync(styles)
    }
    root.adoptedStyleSheets = [sheet]
    // Of the service's own page.
    if (this.hasAttribute('standalone')) this.setConfig({ mode: 'standalone', ...remembered() })
    const workbench = createWorkbench(this.#session)
    root.append(workbench.node)
    return workbench
  }

  #tell(type: Notice['type'] | 'connected' | 'disconnected', detail?: unknown): void {
    this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true }))
  }
}

if (customElements.get('platen-studio') === undefined) customElements.define('platen-studio', PlatenStudio)

declare global {
  interface HTMLElementTagNameMap {
    'platen-studio': PlatenStudio
  }
}
