import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { nodeCodec } from '../../../../origin/codec.ts'
import { attachManifest, manifestOf, unchangedBytes } from '../../../../shared/pdf/join/attach-manifest.ts'
import { pdfLimits } from '../../../../shared/pdf/model/limits.ts'
import { openPdf } from '../../../../shared/pdf/read/open.ts'
import type { Manifest, ManifestDraft } from '../../../../shared/provenance/manifest.ts'
import { archiveProblems } from '../../../helpers/conformance/archive.ts'
import { finishPdf, officePdf, pdfOf, repeatableRandom, stream } from '../../../helpers/pdf.ts'
import { useTemporary } from '../../../helpers/temporary.ts'

const place = useTemporary()
const context = { codec: nodeCodec, random: repeatableRandom(), signal: new AbortController().signal }
const draft: ManifestDraft = {
  type: 'platen.provenance',
  version: 1,
  time: '2027-01-02T03:04:05.000Z',
  service: { name: 'platen', version: '1.2.3' },
  template: { format: 'docx', sha256: 'ab' },
  options: {},
  engines: [],
  fonts: [],
  format: 'pdf',
}
const open = (bytes: Uint8Array) => openPdf(bytes, nodeCodec, pdfLimits)

/** The attached manifest as poppler takes it out, and the opinion of qpdf. */
function asOthersSee(bytes: Uint8Array): unknown {
  const path = place()
  writeFileSync(path, bytes)
  execFileSync('qpdf', ['--check', path], { stdio: 'pipe' })
  execFileSync('pdfdetach', ['-save', '1', '-o', `${path}.json`, path])
  return JSON.parse(execFileSync('cat', [`${path}.json`], { encoding: 'utf8' }))
}

/** Files with a cross-reference table and with a cross-reference stream. */
const files: Readonly<Record<string, Uint8Array>> = {
  'a table': pdfOf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 300 200]>>',
    '<</Type/Page/Parent 2 0 R/Contents 4 0 R>>',
    stream(''),
  ]),
  'a stream': officePdf('letter-tagged'),
}

describe.each(Object.entries(files))('a file whose cross-reference is %s', (_, bytes) => {
  it('begins with the document, which the manifest describes', async () => {
    const { value, warnings } = await attachManifest(bytes, draft, context)
    expect(warnings).toEqual([])
    expect(Buffer.compare(value.bytes.subarray(0, bytes.length), bytes)).toBe(0)
    expect(value.manifest.document.bytes).toBe(bytes.length)
    expect(asOthersSee(value.bytes)).toEqual(value.manifest)
    expect(manifestOf(open(value.bytes))).toEqual(value.manifest)
    expect(await unchangedBytes(value.bytes, value.manifest, context)).toBe(value.bytes.length)
    expect(await unchangedBytes(bytes, value.manifest, context)).toBe(bytes.length)
  })

  it('is known as changed after any change', async () => {
    const { value } = await attachManifest(bytes, draft, context)
    const { manifest } = value
    for (const at of [bytes.length >> 1, bytes.length + 30, value.bytes.length - 3]) {
      const changed = value.bytes.slice()
      changed[at] = (changed[at] ?? 0) ^ 1
      expect([at, await unchangedBytes(changed, manifest, context)]).toEqual([at, undefined])
    }
    expect(await unchangedBytes(value.bytes.subarray(0, -9), manifest, context)).toBeUndefined()
    const appended = new Uint8Array([...value.bytes, 10, 10])
    expect(await unchangedBytes(appended, manifest, context)).toBe(value.bytes.length)
  })
})

it('fonts and producer are those that the file names', async () => {
  const { manifest } = (await attachManifest(officePdf('letter-tagged'), draft, context)).value
  expect(manifest.producer).toMatch(/^LibreOffice \d/)
  expect(manifest.fonts.length).toBeGreaterThan(0)
  for (const { family } of manifest.fonts) expect(family).not.toContain('+')
})

/** The archive of the fixtures, declared as another part. */
function archiveOf(part: number): Uint8Array {
  const text = Buffer.from(officePdf('letter-archive')).toString('latin1')
  return Buffer.from(text.replace(/pdfaid:part>\d</, `pdfaid:part>${part}<`), 'latin1')
}

describe('files without attachments', () => {
  const encrypted = async () =>
    (await finishPdf(files['a table']!, { EncryptFile: true, DocumentOpenPassword: 'secret' })).value
  it.each([
    ['an encrypted file', encrypted, 'is encrypted'],
    ['PDF/A-1', () => archiveOf(1), 'is PDF/A-1, which has no attachments'],
    ['PDF/A-2', () => archiveOf(2), 'is PDF/A-2, which has no attachments'],
  ] as const)('%s stays as it is', async (_, make, because) => {
    const bytes = await make()
    const { value, warnings } = await attachManifest(bytes, draft, context)
    expect(warnings.map(({ code, message }) => [code, message])).toEqual([
      [
        'provenance.not-attached',
        `The manifest is beside the PDF and not inside it, because the PDF ${because}.`,
      ],
    ])
    expect(Buffer.compare(value.bytes, bytes)).toBe(0)
    expect(await unchangedBytes(bytes, value.manifest, context)).toBe(bytes.length)
  })

  it('PDF/A-3 stays one with its manifest', async () => {
    const bytes = archiveOf(3)
    const { value, warnings } = await attachManifest(bytes, draft, context)
    expect(warnings).toEqual([])
    expect(archiveProblems(value.bytes, 3)).toEqual(archiveProblems(bytes, 3))
  })
})

it('a damaged file is rewritten first, and the manifest describes the rewritten file', async () => {
  const damaged = Buffer.from(files['a table']!)
    .toString('latin1')
    .replace(/startxref\n\d+/, 'startxref\n7')
  const { value } = await attachManifest(Buffer.from(damaged, 'latin1'), draft, context)
  expect(asOthersSee(value.bytes)).toEqual(value.manifest)
  expect(await unchangedBytes(value.bytes, value.manifest, context)).toBe(value.bytes.length)
})

it('a second manifest has another name, and the first is still found', async () => {
  const first = (await attachManifest(files['a table']!, draft, context)).value
  const second = (await attachManifest(first.bytes, { ...draft, format: 'pdf' }, context)).value
  const found = manifestOf(open(second.bytes)) as Manifest
  expect([first.manifest, second.manifest]).toContainEqual(found)
  expect(second.manifest.document.bytes).toBe(first.bytes.length)
})
