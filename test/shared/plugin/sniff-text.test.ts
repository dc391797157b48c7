import { expect, test } from 'vitest'
import { fromBytes } from '../../../shared/plugin/byte-source.ts'
import { sniffText } from '../../../shared/plugin/sniff-text.ts'

const guess = (bytes: readonly number[]) => sniffText(fromBytes(new Uint8Array(bytes)), () => 'maybe')
const latin1 = (text: string): number[] => [...text].map((character) => character.charCodeAt(0))

test.each([
  ['a ZIP package', 'PK\x03\x04'],
  ['a compound file', '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'],
  ['PNG', '\x89PNG\r\n\x1a\n'],
  ['JPEG', '\xff\xd8\xff\xe0'],
  ['gzip', '\x1f\x8b\x08'],
  ['anything with a NUL character', 'a\0b'],
])('%s is not text, not even where it ends after its signature', async (_, head) => {
  expect(await guess(latin1(head))).toBe('no')
})
test.each([
  ['letters', 'PK is no package'],
  ['nothing', ''],
  ['UTF-16', '\xff\xfea\0b\0'],
  ['a byte of no UTF-8', '\xe9t\xe9'],
])('%s may be text', async (_, head) => {
  expect(await guess(latin1(head))).toBe('maybe')
})
