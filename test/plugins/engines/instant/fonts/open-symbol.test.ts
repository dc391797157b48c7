import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openFile, par } from '../../../../cases/reference/open.ts'
import { createConverter } from '../../../../fidelity/engine.ts'
import { wordsOf } from '../../../../fidelity/words.ts'
import { temporaryFolder } from '../../../../helpers/temporary-folder.ts'

it('letters of OpenSymbol do not bring the line gap of their font into a line, as in Writer', async () => {
  const folder = temporaryFolder('open-symbol')
  try {
    const source = join(folder, 'text.odt')
    const pdf = join(folder, 'text.pdf')
    const body = ['one', 'two', 'three']
      .map((word) => par(`<text:span text:style-name="O">•</text:span> ${word}`))
      .join('')
    const automatic =
      '<style:style style:name="O" style:family="text"><style:text-properties fo:font-family="OpenSymbol" fo:font-size="20pt"/></style:style>'
    writeFileSync(source, await openFile({ body, automatic }))
    writeFileSync(pdf, (await createConverter(folder)(source)).pdf)
    const [page = []] = wordsOf(pdf)
    const [one, two, three] = ['one', 'two', 'three'].map((text) => page.find((word) => word.text === text)!)
    // The ascent of OpenSymbol is 1420/2048 and its descent 442/2048 of the size; its gap would add 307/2048.
    for (const pitch of [two!.top - one!.top, three!.top - two!.top]) expect(pitch).toBeCloseTo(18.2, 0)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
