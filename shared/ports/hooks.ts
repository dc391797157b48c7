import type { ByteSource } from '../plugin/contract.ts'

/**
 * What an operator has put around renders. Absent members: nothing. They throw 'hook.refused.*' with the operator's own
 * words, 'hook.failed' and 'hook.slow'.
 */
export interface RenderHooks {
  /** Files of templates are kept under the ids of their versions, by which the operator's own store knows them. */
  readonly namesTemplates: boolean
  /** `body` is that of the request, without `template`; what comes back is read in its place. */
  readonly beforeRender?:
    | ((templateId: string | undefined, body: Record<string, unknown>) => Promise<Record<string, unknown>>)
    | undefined
  readonly afterRender?: ((made: MadeRender, source: ByteSource) => Promise<void>) | undefined
  /** Present: stored renders are kept by `afterRender`, and found by their id here. undefined: there is none. */
  readonly readRender?: ((renderId: string) => Promise<ByteSource | undefined>) | undefined
}

export interface MadeRender {
  readonly renderId?: string // absent: the document goes to the caller, nothing is stored
  readonly templateId?: string // as it was asked for; absent: the template came with the request
  readonly name: string // without extension
  readonly extension: string
  readonly contentType: string
  readonly size: number // bytes
}
