import type { ByteSource } from '../plugin/contract.ts'

/**
 * The operator's hooks around renders. An absent member means that the operator has no such hook. All throw
 * 'hook.refused.*' with the operator's own message, 'hook.failed' and 'hook.slow'.
 */
export interface RenderHooks {
  /**
   * Whether template files must be stored under their Version IDs, because a storage hook finds them by
   * these.
   */
  readonly namesTemplates: boolean
  /** Receives the JSON body of the request without `template`. The returned body replaces it. */
  readonly beforeRender?:
    | ((templateId: string | undefined, body: Record<string, unknown>) => Promise<Record<string, unknown>>)
    | undefined
  /** Receives each finished document. */
  readonly afterRender?: ((made: MadeRender, source: ByteSource) => Promise<void>) | undefined
  /**
   * If present, `afterRender` stores renders, and this hook finds them by their id; undefined for an unknown
   * id.
   */
  readonly readRender?: ((renderId: string) => Promise<ByteSource | undefined>) | undefined
}

/** A finished document as described to `afterRender`. */
export interface MadeRender {
  readonly renderId?: string // absent: the document is sent to the caller and not stored
  readonly templateId?: string // as requested; absent: the template came with the request
  readonly name: string // without extension
  readonly extension: string
  readonly contentType: string
  readonly size: number // bytes
}
