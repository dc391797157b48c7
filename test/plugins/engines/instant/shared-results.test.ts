/**
 * Results that documents of one template share (`shared/derived.ts`) are read by later documents, so they must never be written to.
 * Here they are frozen: a write is an error, or makes another document.
 */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { nodeCodec } from '../../../../origin/codec.ts'
import instant from '../../../../plugins/engines/instant/index.ts'
import { formats } from '../../../../plugins/formats/index.ts'
import { derived, keepDerived, watchDerived } from '../../../../shared/derived.ts'
import type { EnginePlugin } from '../../../../shared/plugin/contract.ts'
import { testHost } from '../../../helpers/host.ts'
import { shippedSource } from '../../../helpers/instant-fonts.ts'
import { createPdfMaker } from '../libreoffice/pdf-files.ts'

const host = { ...testHost(formats), codec: nodeCodec, fonts: () => shippedSource }
const plain = createPdfMaker(instant as EnginePlugin, host)
const frozen = createPdfMaker(instant as EnginePlugin, host)

const writes: string[] = []
let results = 0

/** Freezes a value and everything in it. Maps and sets refuse to be changed; bytes cannot be frozen. */
function freeze(value: unknown): void {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value) || Object.isFrozen(value))
    return
  if (value instanceof Map || value instanceof Set) {
    for (const name of ['set', 'add', 'delete', 'clear'])
      Object.defineProperty(value, name, {
        value: () => {
          writes.push(name)
          throw new Error(`A result that documents share is changed by ${name}.`)
        },
      })
    for (const entry of value) freeze(entry)
  }
  Object.freeze(value)
  for (const part of Object.values(value)) freeze(part)
}

beforeAll(() =>
  watchDerived((value) => {
    results += 1
    freeze(value)
  }),
)
afterAll(async () => {
  watchDerived(undefined)
  await Promise.all([plain.converter.stop(), frozen.converter.stop()])
})

it('a write to a frozen result is noticed', () => {
  const bytes = new Uint8Array(1)
  keepDerived(bytes)
  const styles = derived(bytes, 'styles', [], () => ({ names: new Map([['a', { size: 1 }]]), list: [1] }))
  expect(() => (styles.names.get('a')!.size = 2)).toThrow(TypeError)
  expect(() => styles.list.push(2)).toThrow(TypeError)
  expect(() => styles.names.set('b', { size: 1 })).toThrow('is changed by set')
  expect(writes.splice(0)).toEqual(['set'])
})

it.each([
  ['docx', 'templates/letter/template.docx'],
  ['docx', 'templates/invoice/template.docx'],
  ['docx', 'templates/proposal/template.docx'],
  ['docx', 'corpus/evotecit__word-business-delivery-summary.docx'],
  ['docx', 'corpus/docling-project__word_tables.docx'],
  ['docx', 'corpus/gyselroth__policy_with_bullets.docx'],
  ['docx', 'corpus/plutext__arabic_align.docx'],
  ['pptx', 'real/unstructured-io__sample-presentation.pptx'],
  ['xlsx', 'real/aspose-cells__FinancialPlan.xlsx'],
] as const)('%s: %s', async (from, path) => {
  const source = new Uint8Array(readFileSync(new URL(`../../../fixtures/${path}`, import.meta.url)))
  const { bytes, warnings } = await plain.make(source, from, {})
  const before = results
  // The first document fills no cache, the second one computes what is kept, and the third one is given that.
  for (let time = 0; time < 3; time++) {
    const made = await frozen.make(source, from, {})
    expect(made.warnings).toEqual(warnings)
    expect(Buffer.from(made.bytes).equals(bytes)).toBe(true)
  }
  expect(writes).toEqual([])
  expect(results).toBeGreaterThan(before)
})
