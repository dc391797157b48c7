import { describe, expect, it } from 'vitest'
import { slideCases } from '../../cases/office/slides.ts'
import { entryText } from '../../helpers/docx.ts'
import { mergeBytes } from '../../helpers/merge.ts'
import { problemsOf } from '../../helpers/structure.ts'

describe('presentations and drawings', () => {
  it.each(slideCases.map((each) => [each.format, each.name, each] as const))(
    '%s: %s',
    async (_, __, { format, template, data, texts, holds, lacks }) => {
      const { value } = await mergeBytes(await template(), format, data)
      const bytes = new Uint8Array(await value.document.arrayBuffer())
      expect(await problemsOf(bytes)).toEqual([])
      for (const [part, expected] of Object.entries(texts)) {
        const paragraphs = [
          ...(await entryText(bytes, part)).matchAll(/<(a:p|text:p)(?:\/>|[ >].*?<\/\1>)/gs),
        ]
        expect(paragraphs.map(([paragraph]) => paragraph.replace(/<[^>]*>/g, ''))).toEqual(expected)
      }
      for (const [part, stretches] of Object.entries(holds ?? {})) {
        const text = await entryText(bytes, part)
        for (const stretch of stretches) expect(text).toContain(stretch)
      }
      for (const [part, stretches] of Object.entries(lacks ?? {})) {
        const text = await entryText(bytes, part)
        for (const stretch of stretches) expect(text).not.toContain(stretch)
      }
    },
  )
})
