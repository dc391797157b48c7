import type { Word } from '../../fidelity/words.ts'

/** A page's words as stored: 'text left top right bottom', in points, a word a string. */
type Stored = Readonly<Record<string, readonly (readonly string[])[]>>

const number = (value: number): string => String(Math.round(value * 10) / 10)

/** A sample a line, so that a change shows in the difference. */
export function storeWords(samples: ReadonlyMap<string, readonly (readonly Word[])[]>): string {
  const rows = [...samples].map(([name, pages]) => {
    const words = pages.map((page) =>
      page.map((word) =>
        [word.text, ...[word.left, word.top, word.right, word.bottom].map(number)].join(' '),
      ),
    )
    return `  ${JSON.stringify(name)}: ${JSON.stringify(words)}`
  })
  return `{\n${rows.join(',\n')}\n}\n`
}

export function readWords(json: string): ReadonlyMap<string, Word[][]> {
  const stored = JSON.parse(json) as Stored
  return new Map(
    Object.entries(stored).map(([name, pages]) => [name, pages.map((page) => page.map(wordOf))]),
  )
}

function wordOf(text: string): Word {
  const [word = '', ...box] = text.split(' ')
  const [left = 0, top = 0, right = 0, bottom = 0] = box.map(Number)
  return { text: word, left, top, right, bottom }
}
