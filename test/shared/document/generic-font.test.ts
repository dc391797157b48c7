import { expect, test } from 'vitest'
import { genericFont } from '../../../shared/document/generic-font.ts'

test.each([
  ['Garamond', { panose: '02020404030301010803', family: 'roman', pitch: 'variable' }, 'serif'],
  ['Segoe UI', { panose: '020B0502040204020203', family: 'swiss', pitch: 'variable' }, 'sans'],
  ['Consolas', { panose: '020B0609020204030204', family: 'modern', pitch: 'fixed' }, 'mono'],
  ['a family that PANOSE contradicts', { panose: '02020404030301010803', family: 'swiss' }, 'serif'],
  ['PANOSE that was not filled in', { panose: '00000000000000000000', family: 'roman' }, 'serif'],
  ['the same with spaces, as ODF has it', { panose: '2 11 6 3' }, undefined],
  ['a family alone', { family: 'roman', pitch: 'variable' }, 'serif'],
  ['a pitch alone', { family: 'auto', pitch: 'fixed' }, 'mono'],
  ['a script', { panose: '03010101010201010101', family: 'script' }, undefined],
  ['nothing', {}, undefined],
  ['what is no PANOSE', { panose: '<'.repeat(1_000_000), family: 'swiss' }, 'sans'],
] as const)('%s', (_, description, kind) => expect(genericFont(description)).toBe(kind))
