import { readConfig, type StudioConfig } from './model/config.ts'
import { readOptions, type StudioOptions } from './model/options.ts'
import { Session } from './session.ts'
import type { StudioEvent } from './state.ts'
import styles from './style/studio.css'
import { remembered } from './view/remembered.ts'
import { createWorkbench, type Workbench } from './view/workbench.ts'

let sheet: CSSStyleSheet | undefined

/**
 * `<platen-studio>`: the template workbench as an element for any site. docs/studio.md lists its methods and
 * events and shows how to embed it.
 */
export class PlatenStudio extends HTMLElement {
  readonly #session: Session
  #workbench: Workbench | undefined
  #ended = false

  constructor() {
    super()
    const config: StudioConfig = {
      mode: 'embedded',
      // The address that this file was loaded from: '<service>/studio/element.js'.
      origin: new URL('..', import.meta.url).href.replace(/\/+$/, ''),
      token: '',
      version: 5,
      theme: 'auto',
      fetchOverride: undefined,
    }
    this.#session = new Session(config, (notice) => this.#dispatch(notice.type, notice.detail))
  }

  connectedCallback(): void {
    if (this.#ended) return
    this.#workbench ??= this.#build()
    // The event waits, so that a script after this one can still add a listener.
    setTimeout(() => this.isConnected && this.#dispatch('connected'))
  }

  disconnectedCallback(): void {
    this.#dispatch('disconnected')
  }

  /**
   * Sets `mode`, `origin`, `token`, `version`, `theme` or `fetchOverride`; others keep their values. Throws
   * TypeError.
   */
  setConfig(config: Partial<StudioConfig>): void {
    this.#session.configure(readConfig(config, this.#session.state.config))
  }

  /** Sets options of a render. Others keep their values; `undefined` removes one. Throws TypeError. */
  setRenderOptions(options: StudioOptions): void {
    this.#session.setOptions(readOptions(options), 'site')
  }

  getRenderOptions(): StudioOptions {
    return { ...this.#session.state.options }
  }

  /**
   * Opens the deployed version of a Template ID. Resolves when it is open and rendered; rejects when it
   * cannot be opened.
   */
  openTemplateId(id: string): Promise<void> {
    return this.#session.openStored(id)
  }

  openTemplateVersionId(versionId: string): Promise<void> {
    return this.#session.openStored(versionId)
  }

  /** Opens a template from any address that this page may fetch. */
  openTemplateURL(url: string): Promise<void> {
    return this.#session.openUrl(url)
  }

  openTemplateDataURI(uri: string, name?: string): Promise<void> {
    return this.#session.openDataUri(uri, name)
  }

  /** Closes the template and removes the options; the configuration is kept. */
  reset(): void {
    this.#session.reset()
  }

  /** Closes the template; the options are kept. */
  close(): void {
    this.#session.close()
  }

  /** Ends all work and removes the element from its page; it cannot be used again. */
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
    // The defaults of the service's own page.
    if (this.hasAttribute('standalone')) this.setConfig({ mode: 'standalone', ...remembered() })
    const workbench = createWorkbench(this.#session)
    root.append(workbench.node)
    return workbench
  }

  #dispatch(type: StudioEvent['type'] | 'connected' | 'disconnected', detail?: unknown): void {
    this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true }))
  }
}

if (customElements.get('platen-studio') === undefined) customElements.define('platen-studio', PlatenStudio)

declare global {
  interface HTMLElementTagNameMap {
    'platen-studio': PlatenStudio
  }
}
