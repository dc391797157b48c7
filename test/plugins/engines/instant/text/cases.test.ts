import { breakOpportunities } from '../../../../../plugins/engines/instant/text/breaks.ts'
import { itemise } from '../../../../../plugins/engines/instant/text/itemise.ts'
import { scriptOfWord } from '../../../../../plugins/engines/instant/text/scripts.ts'
import { shape } from '../../../../../plugins/engines/instant/text/shape.ts'
import { caseFolders } from '../../../../helpers/case-folders.ts'
import { shippedFace } from '../../../../helpers/instant-fonts.ts'

const face = shippedFace('Arial')

/**
 * `lines.txt`; expected: each line with its places to break, the items of one direction in it, and the glyphs of Liberation
 * Sans at 10 pt: how many, how wide, in which order the characters are drawn.
 */
caseFolders('text', ({ text }) => {
  const lines = (text('lines.txt') ?? '').split('\n')
  return { 'expected.txt': `${lines.map(describeLine).join('\n\n')}\n` }
})

function describeLine(line: string): string {
  const places = breakOpportunities(line).map(({ at }) => at)
  const marked = [0, ...places].map((at, index) => line.slice(at, places[index] ?? line.length)).join('|')
  const items = itemise(line, { face, direction: 'auto' }, (text) => [{ start: 0, end: text.length, face }])
  const runs = items.map(({ start, end, level, complex }) => {
    const part = line.slice(start, end)
    const { glyphs, clusters, width } = shape(part, { face, size: 10, rtl: level % 2 === 1 })
    const order = Array.from(clusters, (at) => String.fromCodePoint(part.codePointAt(at) ?? 0)).join('')
    return `  level ${level}${complex ? ' complex' : ''} ${scriptOfWord(part)} ${glyphs.length} glyphs ${width.toFixed(2)} pt ${JSON.stringify(order)}`
  })
  return [marked, ...runs].join('\n')
}
