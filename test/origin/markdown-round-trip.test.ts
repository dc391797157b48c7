import { expect, it } from 'vitest'
import { bytesOf, fromBytes } from '../../shared/plugin/byte-source.ts'
import { useServices } from '../helpers/origin-services.ts'

const services = useServices({ warm: true })

async function convert(source: string | Uint8Array, from: string, to: string): Promise<Uint8Array> {
  const made = await services().converter.convert({
    source: fromBytes(typeof source === 'string' ? new TextEncoder().encode(source) : source),
    from,
    to,
    deadline: Date.now() + 200_000,
    signal: AbortSignal.timeout(200_000),
  })
  return bytesOf(made.value)
}

const red =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAIAAAACUFjqAAAAEklEQVR4nGP4z8CAB+GTG8HSALfKY52fTcuYAAAAAElFTkSuQmCC'

/** Each element of GitHub's flavour once, in the form that we write it in. */
const elements: Readonly<Record<string, string>> = {
  headings: '# One\n\n## Two with *emphasis*\n\n###### Six',
  'marks in text': '**bold**, *italic*, ~~struck~~, `code`, H<sub>2</sub>O and x<sup>2</sup>.',
  'a break': 'one\\\ntwo',
  links: 'A [link](https://example.org/a) and one [**in bold**](https://example.org/b).',
  quotes: '> One.\n>\n> Two.\n>\n> > Inner.',
  lists: '- one\n- two\n  - inner\n    1. first\n    2. second\n- three',
  'a list that begins later': '7. seven\n8. eight',
  'an item of several blocks': '1. one\n\n   more of it\n\n   ```\n   code\n   ```\n\n2. two',
  tasks: '- [ ] open\n- [x] done\n- plain',
  'a table': '| Left | Mid | Right |\n| - | :-: | -: |\n| a | **b** | 1 |\n| c | d<br>e | 2 |',
  code: '```\na  b\n  c\n```\n\n```\nanother\n```',
  'a rule': 'above\n\n---\n\nbelow',
  'a picture': `![red square](${red})`,
  notes: 'Text[^1].\n\n[^1]: The note.',
}

const source = `${Object.values(elements)
  .map((one) => one.replace(/\n\n\[\^1\].*/, ''))
  .join('\n\nBetween.\n\n')}\n\n[^1]: The note.\n`

it.each(['docx', 'odt'])('Markdown comes back from %s with all of its elements', async (format) => {
  const markdown = await convert(await convert(source, 'md', format), format, 'md')
  // How wide columns are padded is of no meaning.
  const lines = new TextDecoder().decode(markdown).replace(/ +\|/g, ' |')
  expect(lines).toBe(source)
})
