import { chmodSync, readFileSync } from 'node:fs'
import { createConfinement } from '../../../../origin/processes/confine.ts'
import { createProgramRunner } from '../../../../origin/processes/run-program.ts'
import plugin from '../../../../plugins/engines/office-alt/index.ts'
import { bytesOf, fromBytes } from '../../../../shared/plugin/byte-source.ts'
import type { Host } from '../../../../shared/plugin/contract.ts'
import { testHost } from '../../../helpers/host.ts'
import { temporaryFolder } from '../../../helpers/temporary-folder.ts'

export const fixture = (path: string): Uint8Array =>
  new Uint8Array(readFileSync(new URL(`../../../fixtures/${path}`, import.meta.url)))
export const samples = {
  docx: fixture('templates/letter/template.docx'),
  xlsx: fixture('real/aspose-cells__FinancialPlan.xlsx'),
  pptx: fixture('real/unstructured-io__sample-presentation.pptx'),
} as const

/** A host that runs programs in a folder of this test. */
export function programHost(): Host & { readonly folder: string } {
  const folder = temporaryFolder('office-alt')
  // Confined programs are another user's.
  chmodSync(folder, 0o755)
  const host = testHost()
  const { confine } = createConfinement('best')
  return {
    ...host,
    folder,
    runProgram: createProgramRunner({ confine, folder: async () => folder, now: host.now }),
  }
}

export function createAlternative(settings: Readonly<Record<string, unknown>> = {}, host = programHost()) {
  const checked = plugin.settings.parse(settings)
  if (!checked.ok) throw new Error(JSON.stringify(checked.issues))
  const engine = plugin.create(checked.value, host)
  return {
    engine,
    folder: host.folder,
    async convert(
      bytes: Uint8Array,
      from: string,
      { deadlineMs = 200_000, signal = new AbortController().signal } = {},
    ) {
      const options = { names: [] }
      const job = { source: fromBytes(bytes), from, to: 'pdf', options, deadline: Date.now() + deadlineMs }
      return bytesOf((await engine.convert(job, signal)).value)
    },
  }
}
