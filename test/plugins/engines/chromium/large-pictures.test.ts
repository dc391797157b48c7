import { expect, it } from 'vitest'
import { withoutLargePictures } from '../../../../plugins/engines/chromium/large-pictures.ts'
import { hugePng } from '../../../helpers/docx.ts'

const page = (base64: string) => `<p>a<img src="data:image/png;base64,${base64}">b`
const huge = page(Buffer.from(hugePng(20_000, 20_000)).toString('base64'))

it('empties a picture of too many pixels, and warns', () => {
  const { text, warnings } = withoutLargePictures(huge)
  expect(text).toBe('<p>a<img src="data:,">b')
  expect(warnings.map(({ code }) => code)).toEqual(['web.not-loaded'])
})

it('reads pictures of many megabytes', () => {
  const long = page('iVBORw0KGgo'.padEnd(16_000_000, 'A'))
  expect(withoutLargePictures(long + huge)).toMatchObject({ text: `${long}<p>a<img src="data:,">b` })
})
