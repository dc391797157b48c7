import { expect, it } from 'vitest'
import { fontNamed } from '../../../../plugins/engines/poppler/text/font-names.ts'

it.each([
  ['NimbusRomNo9L-Regu', 'Times New Roman'],
  ['NimbusSanL-Bold', 'Arial'],
  ['NimbusMonL-Regu', 'Courier New'],
  ['CMR10', 'Times New Roman'],
  ['CMBX12', 'Times New Roman'],
  ['CMTT9', 'Courier New'],
  ['SFRM1000', 'Times New Roman'],
  ['LMRoman10-Regular', 'Times New Roman'],
  ['TimesNewRomanPS-BoldItalicMT', 'Times New Roman'],
  ['LiberationSans-Bold', 'Liberation Sans'],
  ['Carlito-BoldItalic', 'Carlito'],
  ['CMMI10', 'CMMI10'],
])('%s is %s', (name, known) => {
  expect(fontNamed(name)).toBe(known)
})
