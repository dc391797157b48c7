import JSZip from 'jszip'
import { expect, it } from 'vitest'
import { type RichCase, richCases } from '../../cases/office/rich.ts'
import { mergeBytes } from '../../helpers/merge.ts'
import { problemsOf } from '../../helpers/structure.ts'

/** What the reference says of rich content and of formats, sentence by sentence. */
it.each(richCases.map((each) => [each.name, each] as const))(
  '%s',
  async (_, { template, format, data, holds, lacks = {}, added }: RichCase) => {
    const { value } = await mergeBytes(await template(), format, data)
    const bytes = new Uint8Array(await value.document.arrayBuffer())
    const isPackage = bytes[0] === 0x50 && bytes[1] === 0x4b
    if (isPackage) expect(await problemsOf(bytes)).toEqual([])
    const zip = isPackage ? await JSZip.loadAsync(bytes) : undefined
    const textOf = async (part: string) =>
      zip === undefined ? new TextDecoder().decode(bytes) : await zip.file(part)!.async('string')
    for (const [part, wanted] of Object.entries(holds)) {
      const text = await textOf(part)
      for (const each of wanted)
        expect(text).toEqual(
          typeof each === 'string' ? expect.stringContaining(each) : expect.stringMatching(each),
        )
    }
    for (const [part, unwanted] of Object.entries(lacks)) {
      const text = await textOf(part)
      for (const each of unwanted)
        expect(text).toEqual(
          typeof each === 'string' ? expect.not.stringContaining(each) : expect.not.stringMatching(each),
        )
    }
    if (added !== undefined)
      expect(Object.keys(zip!.files).filter((name) => /\/merged\d+\./.test(name))).toEqual(added)
  },
)
