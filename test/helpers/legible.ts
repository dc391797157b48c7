import { writeFileSync } from 'node:fs'
import JSZip from 'jszip'
import { outputOf } from './run-program.ts'

/**
 * All that can be read in a file: the parts of a package, the objects and the text of a PDF. A test that something is not in a
 * file must search this, because the bytes of both are compressed. `place` is a path without an extension. Throws for a
 * PDF that qpdf or pdftotext refuse.
 */
export async function legible(place: string, bytes: Uint8Array): Promise<string> {
  const raw = Buffer.from(bytes)
  if (raw.subarray(0, 4).toString('latin1') === 'PK\x03\x04') {
    const parts = Object.values((await JSZip.loadAsync(raw)).files)
    const texts = await Promise.all(parts.map(async (part) => `${part.name}\n${await part.async('string')}`))
    return texts.join('\n')
  }
  if (raw.subarray(0, 5).toString('latin1') !== '%PDF-') return `${raw.toString('latin1')}\n${raw.toString()}`
  const file = `${place}.pdf`
  writeFileSync(file, raw)
  const objects = read('qpdf', ['--qdf', '--object-streams=disable', file, '-'])
  return `${objects.toString('latin1')}\n${read('pdftotext', ['-raw', file, '-']).toString()}`
}

function read(program: string, args: readonly string[]): Buffer {
  const { status, stdout, stderr } = outputOf(program, args)
  // qpdf ends with 3 after warnings.
  if (status !== 0 && !(program === 'qpdf' && status === 3)) throw new Error(`${program} failed: ${stderr}`)
  return stdout
}
