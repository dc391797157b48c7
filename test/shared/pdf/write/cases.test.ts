import { join } from 'node:path'
import { expect } from 'vitest'
import { nodeCodec } from '../../../../origin/codec.ts'
import { pdfLimits } from '../../../../shared/pdf/model/limits.ts'
import { PdfDict, PdfRef } from '../../../../shared/pdf/model/values.ts'
import { openPdf } from '../../../../shared/pdf/read/open.ts'
import { appendSignature, appendUpdate } from '../../../../shared/pdf/write/update.ts'
import { writePdfNow } from '../../../../shared/pdf/write/writer.ts'
import { caseFolders } from '../../../helpers/case-folders.ts'
import { ask, pdfOf, repeatableRandom, textOf } from '../../../helpers/pdf.ts'
import { objectsIn, printObjects } from '../../../helpers/pdf-objects.ts'
import { temporaryFolder } from '../../../helpers/temporary-folder.ts'

interface Options {
  readonly version: string
  readonly trailer?: string
  /** Objects of an update, by their numbers. Without any the file is written anew. */
  readonly changed?: Readonly<Record<string, string>>
  readonly added?: Readonly<Record<string, string>>
  /** Whether the file that is updated has its objects in streams. */
  readonly compressed?: boolean
  readonly signature?: { readonly id: number; readonly reservedBytes: number }
}

const place = join(temporaryFolder('write-cases'), 'written.pdf')
const open = (bytes: Uint8Array) => openPdf(bytes, nodeCodec, pdfLimits)
const rewritten = (bytes: Uint8Array) =>
  writePdfNow(open(bytes), { codec: nodeCodec, random: repeatableRandom() })

/**
 * `objects.txt`, the objects of a file between empty lines, the first of which is the catalogue, and `options.json`. Expected:
 * the text of the file that is written, or what an update appends; and the objects as they are read back.
 */
caseFolders('pdf-write', async ({ text, json }) => {
  const options = json<Options>('options.json') ?? { version: '1.7' }
  const objects = objectsIn(text('objects.txt') ?? '')
  const source = pdfOf(objects, options)
  const base = options.compressed === true ? rewritten(source) : source
  const bytes = options.changed === undefined ? rewritten(base) : updated(base, objects, options)
  expect(await ask(place, bytes, 'qpdf', '--check', '@')).toContain('No syntax or stream encoding errors')
  const from = options.changed === undefined ? 0 : base.length
  const shown = textOf(bytes.subarray(from)).replace(/[^\n -~]/g, '.')
  return { 'expected.txt': `${shown}\n## read back\n${printObjects(bytes)}` }
})

function updated(
  base: Uint8Array,
  objects: readonly string[],
  { changed = {}, added = {}, signature }: Options,
): Uint8Array {
  const document = open(base)
  const values = new Map(Object.entries({ ...changed, ...added }).map(([id, value]) => [Number(id), value]))
  const count = Math.max(objects.length, ...values.keys())
  // A file that has them already reads the new objects.
  const reader = open(
    pdfOf(Array.from({ length: count }, (_, at) => values.get(at + 1) ?? objects[at] ?? 'null')),
  )
  for (const id of values.keys()) document.replace(id, reader.resolve(new PdfRef(id)))
  const update = {
    changed: Object.keys(changed).map(Number),
    firstNew: Math.min(...Object.keys(added).map(Number), Number.MAX_SAFE_INTEGER),
  }
  if (signature === undefined) return appendUpdate(base, document, update).bytes
  const entries = document.resolve(new PdfRef(signature.id))
  if (!(entries instanceof PdfDict)) throw new Error('A signature is a dictionary.')
  const { bytes, gap } = appendSignature(base, document, { ...update, signature: { ...signature, entries } })
  const range = /\/ByteRange \[0 (\d+) +(\d+) +(\d+) *\]/.exec(textOf(bytes))?.slice(1).map(Number)
  expect(range).toEqual([gap.start, gap.end, bytes.length - gap.end])
  expect(textOf(bytes.subarray(gap.start, gap.end))).toBe(`<${'0'.repeat(2 * signature.reservedBytes)}>`)
  return bytes
}
