import { type Comparison, compareTemplates } from '../../shared/render/compare.ts'
import { inlineTemplate } from '../../shared/render/template.ts'
import type { TextChange } from '../../shared/text-diff.ts'
import type { OriginServices } from '../services.ts'
import { type ServiceCommand, UsageError } from './command.ts'
import { readCommandLine } from './flags.ts'
import { printLines, readInput } from './io.ts'

/** Lists the differences between two templates. Exit code 1 if there are any, as with `diff`. */
export const diffCommand: ServiceCommand = {
  usage: 'platen diff OLD.docx NEW.docx [--json]',
  summary:
    'Lists the tags, the words and the pages in which two templates differ. The exit code is 1 when they differ.',
  async run(services, args) {
    const { values, positionals } = readCommandLine({
      args: [...args],
      allowPositionals: true,
      options: { json: { type: 'boolean', default: false } },
    })
    const [from, to] = positionals
    if (from === undefined || to === undefined || positionals.length > 2)
      throw new UsageError('diff takes two templates.')
    const templates = [await opened(services, from), await opened(services, to)] as const
    const comparison = await compareTemplates(services, templates, new AbortController().signal)
    if (values.json) console.log(JSON.stringify(comparison, null, 2))
    else printLines(described(comparison))
    return comparison.same ? 0 : 1
  },
}

async function opened(services: OriginServices, path: string) {
  return inlineTemplate(services, await readInput(path), { name: path })
}

function described({ same, tags, text, textCut, pages }: Comparison): string[] {
  if (same) return ['The files are the same.']
  const words = (text ?? []).flatMap(wordLines)
  return [
    ...tags.removed.map((tag) => `- tag ${tag}`),
    ...tags.added.map((tag) => `+ tag ${tag}`),
    ...tags.changed.map(({ from, to }) => `~ tag ${from} is now ${to}`),
    ...words,
    ...(textCut ? ['Only the beginning of the text was compared, because it is too long.'] : []),
    ...(pages === undefined ? [] : pageLines(pages)),
    ...(tags.added.length + tags.removed.length + tags.changed.length + words.length === 0
      ? ['Tags and words are the same.']
      : []),
  ]
}

function wordLines({ kind, text }: TextChange): string[] {
  if (kind === 'same' || text.trim() === '') return []
  return [`${kind === 'added' ? '+' : '-'} text ${JSON.stringify(text.trim())}`]
}

function pageLines({ from, to, changed }: NonNullable<Comparison['pages']>): string[] {
  const numbers = changed.map(({ page }) => page).join(', ')
  return [
    ...(from === to ? [] : [`pages: ${from} before, ${to} now`]),
    changed.length === 0 ? 'No page looks different.' : `pages that look different: ${numbers}`,
  ]
}
