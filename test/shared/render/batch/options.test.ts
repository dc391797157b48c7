import { expect, it } from 'vitest'
import { splitOptions } from '../../../../shared/render/batch/options.ts'

const cases = [
  ['nothing', 'pdf', undefined, {}],
  ['options of reports', 'pdf', { Zoom: 80 }, { each: { Zoom: 80 } }],
  ['passwords', 'pdf', { EncryptFile: true }, { each: {}, joined: { EncryptFile: true } }],
  ['both', 'pdf', { Zoom: 80, EncryptFile: true }, { each: { Zoom: 80 }, joined: { EncryptFile: true } }],
  ['both in an archive', 'zip', { Zoom: 80, EncryptFile: true }, { each: { Zoom: 80, EncryptFile: true } }],
] as const
for (const [title, output, options, expected] of cases)
  it(`${title} for ${output}`, () =>
    expect(splitOptions({ output, onError: 'fail' }, options)).toEqual(expected))
