import { type Shared, warn } from './story.ts'

/** Unsupported properties of styles: a pattern of the markup, the warning code and the message. */
const undrawn: readonly (readonly [RegExp, string, string])[] = [
  [
    /<style:(?:table|table-row|header-footer|section)-properties[^>]*>\s*<style:background-image\s[^>]*xlink:href="[^"]/,
    'read.background-picture',
    'A picture behind a table, a row, a section, a header or a footer is left out.',
  ],
  [
    /style:text-overline-style="(?!none)|style:text-line-through-text="[^"]/,
    'read.text-line',
    'Lines over text are left out, letters that strike text through are a line.',
  ],
  [
    /<style:(?:table|graphic)-properties\s(?:[^>]*\s)?style:shadow="(?!none)/,
    'read.frame-shadow',
    'Tables and frames are drawn without shadows.',
  ],
  [/style:ruby-position="(?:below|inter-character)"/, 'read.ruby', 'Phonetic guides stand above their text.'],
  [/style:text-rotation-angle="(?:90|270)"/, 'read.text-rotation', 'Turned words are set level.'],
]

/** Warns about unsupported properties in the texts of the parts. */
export function tellUndrawn(shared: Shared, parts: readonly string[]): void {
  for (const [pattern, code, message] of undrawn)
    if (parts.some((part) => pattern.test(part))) warn(shared, code, message)
}
