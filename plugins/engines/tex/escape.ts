import { entryOf } from '../../../shared/entry-of.ts'

const commands: Readonly<Record<string, string>> = {
  '\\': '\\textbackslash{}',
  '{': '\\{',
  '}': '\\}',
  '&': '\\&',
  '%': '\\%',
  $: '\\$',
  '#': '\\#',
  _: '\\_',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
  '<': '\\textless{}',
  '>': '\\textgreater{}',
  '|': '\\textbar{}',
  '"': '\\textquotedbl{}',
  '\u00a0': '~',
  '\u00ad': '\\-',
  '\u2011': '-',
  '\u2013': '--',
  '\u2014': '---',
  '\u2026': '\\ldots{}',
  '\u20ac': '\\texteuro{}',
}

/** Escapes text so that TeX prints it unchanged. */
export function escapeLatex(text: string): string {
  return text.replace(
    /[\\{}&%$#_~^<>|"\u00a0\u00ad\u2011\u2013\u2014\u2026\u20ac]/g,
    (character) => entryOf(commands, character) ?? character,
  )
}
