import { expect } from 'vitest'
import type { MergeOptions } from '../../shared/ports/merger.ts'
import { mergeBytes } from './merge.ts'
import { canonicalPackage, rewritePackage, rewritings } from './rewrite-xml.ts'

/** Expects a template to merge to the same document in whatever way of XML its producer wrote it. */
export async function expectSameRewritten(
  template: Uint8Array,
  format: string,
  data: unknown,
  options: Partial<MergeOptions> = {},
): Promise<void> {
  const merged = async (bytes: Uint8Array) => {
    const { value, warnings } = await mergeBytes(bytes, format, data, options)
    return { bytes: new Uint8Array(await value.document.arrayBuffer()), warnings }
  }
  const expected = await merged(template)
  const [asWritten, asChosen] = [false, true].map((isChosen) => canonicalPackage(expected.bytes, isChosen))
  for (const rewriting of rewritings) {
    const found = await merged(rewritePackage(template, rewriting))
    const isChosen = rewriting.startsWith('alternate')
    const expectedParts = (isChosen ? asChosen : asWritten) as Map<string, string>
    const foundParts = canonicalPackage(found.bytes, isChosen)
    expect([...foundParts.keys()].sort(), rewriting).toEqual([...expectedParts.keys()].sort())
    for (const [part, text] of expectedParts)
      expect(difference(text, foundParts.get(part)!), `${rewriting}: ${part}`).toBe('')
    expect(found.warnings, rewriting).toEqual(expected.warnings)
  }
}

/** The first lines that differ: whole documents would fill pages. */
function difference(expected: string, found: string): string {
  if (expected === found) return ''
  const lines = found.split('\n')
  const at = expected.split('\n').findIndex((line, index) => line !== lines[index])
  return `line ${at}: expected ${expected.split('\n')[at]?.slice(0, 200)}, found ${lines[at]?.slice(0, 200)}`
}
