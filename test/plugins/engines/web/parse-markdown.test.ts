import { toHtml } from 'hast-util-to-html'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { toHast } from 'mdast-util-to-hast'
import { gfm } from 'micromark-extension-gfm'
import { describe, expect, it } from 'vitest'
import { parseMarkdown, partsOf } from '../../../../plugins/engines/web/parse-markdown.ts'

const shown = (tree: Parameters<typeof toHast>[0]) =>
  toHtml(toHast(tree, { allowDangerousHtml: true }), { allowDangerousHtml: true })
const atOnce = (text: string) =>
  fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] })
const ready = async () => undefined

/** Blocks that mean something to what stands around them. */
const blocks = [
  '# Title of it\n\n',
  'A paragraph with [a link][one], [two], [Missing] and a note[^n].\nSecond line.\n\n',
  '- item\n\n  more of it\n\n- next\n\n',
  '1. one\n\n   ```\n\n   Text in code in a list\n\n   ```\n\n2. two\n\n',
  '1. one\n\n   ```\n\nText that ends the list\n\n   ```\n\n2. two\n\n```\n\n',
  '- one\n\n ```\n\nText in code behind a list\n\n ```\n\n',
  '> ```\n> quoted code\n\nText behind it\n\n',
  '```js\nconst a = 1\n\nLooks like a paragraph\n\n# Looks like a title\n```\n\n',
  '~~~~\n```\n\nStill code\n\n~~~\n\nAnd on\n\n~~~~\n\n',
  '> quoted\n>\n> - list\n\n',
  '| a | b |\n| - | - |\n| 1 | [one] |\n\n',
  '<div>\n\nMarkdown *inside* HTML\n\n</div>\n\n',
  '<pre>\n\nNot *Markdown*\n\nat all\n\n</pre>\n\n',
  '<!-- a\n\nComment\n\n-->\n\n',
  '[^n]: The note\n\n    goes on\n\n',
  'Setext title\n===\n\n',
  '    indented code\n\n    goes on\n\n',
  '- [x] done\n- [ ] open\n\n',
  'Hard  \nbreak and ~~gone~~ https://example.org\n\n',
]
const definitions = '[one]: https://example.org/1 "One"\n[Two]: <https://example.org/2>\n\n'

describe('a text in parts', () => {
  it('means what it means at once', async () => {
    let state = 17
    const next = (most: number) => {
      state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff
      return (state >>> 8) % most
    }
    for (let round = 0; round < 12; round++) {
      const text = Array.from({ length: 420 }, () => blocks[next(blocks.length)]).join('')
      const placed = round % 3 === 0 ? definitions + text : round % 3 === 1 ? text + definitions : text
      expect(partsOf(placed).length).toBeGreaterThan(1)
      expect(partsOf(placed).join('')).toBe(placed)
      expect(shown(await parseMarkdown(placed, ready)), `round ${round}`).toBe(shown(atOnce(placed)))
    }
  })
  it.each([
    ['a fence that never ends', '```\n\n', 'Text\n\n'],
    ['a comment that never ends', '<!--\n\n', 'Text\n\n'],
    ['one list', '', '- item\n\n'],
    ['one quote', '', '> Text\n>\n'],
  ])('is one where it cannot be cut: %s', (_, start, block) => {
    expect(partsOf(start + block.repeat(5000)).length).toBe(1)
  })
  it('yields to other work, and ends when aborted', async () => {
    const text = 'A paragraph of some length.\n\n'.repeat(4000)
    let pauses = 0
    await parseMarkdown(text, async () => void pauses++)
    expect(pauses).toBeGreaterThan(5)
    const over = parseMarkdown(text, async () => {
      throw new Error('over')
    })
    await expect(over).rejects.toThrow('over')
  })
  it('takes time in proportion to the text', async () => {
    const text = blocks.join('').repeat(300) // 0.3 MB
    const started = process.cpuUsage()
    await parseMarkdown(text, ready)
    const { user, system } = process.cpuUsage(started)
    expect((user + system) / 1e6).toBeLessThan(8) // s; at once it is five times that
  })
})
