import type { FinishedRender } from '../plugin/hooks.ts'
import type { ByteSource } from '../plugin/values.ts'

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
  readonly afterRender?: ((made: FinishedRender, source: ByteSource) => Promise<void>) | undefined
  /**
   * If present, `afterRender` stores renders, and this hook finds them by their id; undefined for an unknown
   * id.
   */
  readonly readRender?: ((renderId: string) => Promise<ByteSource | undefined>) | undefined
}
