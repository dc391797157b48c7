/** PDF files as a caller gets them from an engine, by default L, and what other programs report about them. */
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import libreoffice from '../../../../plugins/engines/libreoffice/index.ts'
import { formats } from '../../../../plugins/formats/index.ts'
import { type Converter, createConverter } from '../../../../shared/convert/converter.ts'
import { createPdfFinisher } from '../../../../shared/convert/finish-pdf.ts'
import { createPdfOperations } from '../../../../shared/pdf/operations.ts'
import { bytesOf, fromBytes } from '../../../../shared/plugin/byte-source.ts'
import type { EnginePlugin, Host } from '../../../../shared/plugin/contract.ts'
import { createRegistry } from '../../../../shared/plugin/registry.ts'
import { runProgram } from '../../../helpers/run-program.ts'
import { temporaryFolder } from '../../../helpers/temporary-folder.ts'
import { officeHost } from './office.ts'

const folder = temporaryFolder('pdf-files')
let count = 0

export interface PdfFile {
  readonly bytes: Uint8Array
  readonly path: string
  readonly warnings: readonly string[]
  /** All objects, one after the other, streams unpacked: for expressions. One character a byte. */
  readonly text: string
  ask(tool: string, ...args: readonly string[]): string
}

export function createPdfMaker(
  engine: EnginePlugin = libreoffice as EnginePlugin,
  host: Host = officeHost(),
): {
  readonly converter: Converter
  make(
    source: string | Uint8Array,
    from: string,
    options: Readonly<Record<string, unknown>>,
  ): Promise<PdfFile>
} {
  const registry = createRegistry([...formats, engine])
  const finisher = createPdfFinisher({
    registry,
    pdf: createPdfOperations({
      codec: host.codec,
      random: (size) => new Uint8Array(randomBytes(size)),
    }),
  })
  const converter = createConverter({ registry, host, settings: {}, finisher })
  return {
    converter,
    async make(source, from, options) {
      const bytes = typeof source === 'string' ? new TextEncoder().encode(source) : source
      const made = await converter.convert({
        source: fromBytes(bytes),
        from,
        to: 'pdf',
        options,
        deadline: Date.now() + 200_000,
        signal: new AbortController().signal,
      })
      return pdfFile(
        await bytesOf(made.value),
        made.warnings.map(({ message }) => message),
      )
    },
  }
}

export function pdfFile(bytes: Uint8Array, warnings: readonly string[] = []): PdfFile {
  const path = join(folder, `${++count}.pdf`)
  writeFileSync(path, bytes)
  const run = (tool: string, args: readonly string[]) => runProgram(tool, args).toString('latin1')
  return {
    bytes,
    path,
    warnings,
    get text() {
      return run('qpdf', ['--qdf', '--object-streams=disable', '--warning-exit-0', path, '-'])
    },
    ask: (tool, ...args) =>
      run(tool, [...args.filter((one) => one !== '-'), path, ...args.filter((one) => one === '-')]),
  }
}
