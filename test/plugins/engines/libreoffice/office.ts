import { chmodSync } from 'node:fs'
import { createConfinement } from '../../../../origin/processes/confine.ts'
import { createSupervisor } from '../../../../origin/processes/supervisor.ts'
import { createEngine, type OfficeEngine } from '../../../../plugins/engines/libreoffice/engine.ts'
import plugin from '../../../../plugins/engines/libreoffice/index.ts'
import { fromBytes } from '../../../../shared/plugin/byte-source.ts'
import type { Host } from '../../../../shared/plugin/contract.ts'
import type { FormatId, Outcome } from '../../../../shared/plugin/values.ts'
import { testHost } from '../../../helpers/host.ts'
import { temporaryFolder } from '../../../helpers/temporary-folder.ts'

/**
 * A host that keeps real processes, and says where the engine puts its folders. To warm up takes an office longer than most
 * documents, so that is for the tests that are about it.
 */
export function officeHost({ warmsUp = false } = {}): Host & { readonly folder: string } {
  const host = testHost()
  const folder = temporaryFolder('office-test')
  // Programs run as other users where we are root.
  chmodSync(folder, 0o711)
  const { supervise } = createSupervisor({ log: host.log, now: host.now, warmsUp })
  const { confine } = createConfinement('best')
  return { ...host, folder, confine, supervise, scratch: async () => folder }
}

export interface Office {
  readonly engine: OfficeEngine
  readonly folder: string
  convert(source: Uint8Array | string, from: FormatId, to: FormatId, more?: More): Promise<Converted>
}
export interface More {
  readonly options?: Readonly<Record<string, unknown>>
  readonly deadlineMs?: number
  readonly signal?: AbortSignal
}
export interface Converted {
  readonly bytes: Uint8Array
  readonly pages: readonly Uint8Array[] // of formats that hold one each
  readonly warnings: Outcome<unknown>['warnings']
}

export function createOffice(settings: Readonly<Record<string, unknown>> = {}, host = officeHost()): Office {
  const checked = plugin.settings.parse(settings)
  if (!checked.ok) throw new Error(JSON.stringify(checked.issues))
  const engine = createEngine(checked.value, host)
  return {
    engine,
    folder: host.folder,
    async convert(source, from, to, { options = {}, deadlineMs = 200_000, signal } = {}) {
      const parsed = plugin.options.parse(options)
      if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues))
      const bytes = typeof source === 'string' ? new TextEncoder().encode(source) : source
      const job = {
        source: fromBytes(bytes),
        from,
        to,
        options: parsed.value,
        deadline: Date.now() + deadlineMs,
      }
      const outcome = await engine.convert(job, signal ?? new AbortController().signal)
      const pages = (outcome.pages ?? [outcome.value]).map((page) => page.view as Uint8Array)
      return { bytes: pages[0] as Uint8Array, pages, warnings: outcome.warnings }
    },
  }
}
