import { caseFolders } from '../../../../../helpers/case-folders.ts'
import { type Laid, layWord, type WordParts } from '../../../../../helpers/laid-out.ts'

/**
 * `body.xml`, and in `parts.json` other parts of the file; expected: what is on which page, each line with its place in
 * points, and warnings.
 */
caseFolders('layout-pages', ({ text, json }) => {
  const parts = { ...json<Partial<WordParts>>('parts.json'), body: text('body.xml') ?? '' }
  return { 'expected.txt': pagesOf(layWord(parts)) }
})

function pagesOf({ pages, lines, warnings }: Laid): string {
  const onPage = pages.map(({ frame, label, isBlank }, at) => {
    const named = label === undefined ? '' : ` label ${label.prefix ?? ''}${label.number} ${label.style}`
    const head = `page ${at + 1} ${frame.width}x${frame.height}${named}${isBlank === true ? ' blank' : ''}`
    const texts = lines.filter(({ page }) => page === at + 1).map(({ x, y, text }) => `  ${x},${y} ${text}`)
    return [head, ...texts].join('\n')
  })
  return `${[...onPage, ...warnings.map(({ message }) => message)].join('\n')}\n`
}
