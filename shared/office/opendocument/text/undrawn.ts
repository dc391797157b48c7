import { attributeOf, elementsIn, tagsIn } from '../../../xml/elements.ts'
import { type Shared, warn } from './part-context.ts'

interface Undrawn {
  readonly isUsed: (text: string) => boolean
  readonly code: string
  readonly message: string
}

/** Whether one of these elements has the attribute with such a value. The first search passes over most documents. */
const hasValue =
  (elements: readonly string[], attribute: string, isMeant: (value: string) => boolean) =>
  (text: string): boolean =>
    text.includes(attribute) &&
    elements.some((name) =>
      [...tagsIn(text, name)].some((tag) => {
        const value = attributeOf(tag, attribute)
        return value !== undefined && isMeant(value)
      }),
    )
const ofText = (attribute: string, isMeant: (value: string) => boolean) =>
  hasValue(['style:text-properties'], attribute, isMeant)
const overline = ofText('style:text-overline-style', (value) => value !== 'none')
const strikingText = ofText('style:text-line-through-text', (value) => value !== '')

/** Borders around letters whose sides differ. */
const hasUnlikeSides = (text: string): boolean =>
  text.includes('fo:border-') &&
  [...tagsIn(text, 'style:text-properties')].some((tag) => {
    const ofSides = (property: string): readonly (string | undefined)[] =>
      ['left', 'right', 'top', 'bottom'].map((side) => attributeOf(tag, `${property}-${side}`))
    const borders = ofSides('fo:border')
    if (borders.every((border) => border === undefined || border === 'none')) return false
    return [borders, ofSides('fo:padding')].some((sides) => new Set(sides).size > 1)
  })
const letterShadow = ofText('style:shadow', (value) => value !== 'none')
const hiddenBookmark = hasValue(['text:bookmark-start'], 'loext:hidden', (value) => value === 'true')
const conditionalBookmark = hasValue(['text:bookmark-start'], 'loext:condition', (value) => value !== '')

/** Properties that may hold a picture which is not drawn. */
const holders = [
  'style:table-properties',
  'style:table-row-properties',
  'style:header-footer-properties',
  'style:section-properties',
]
const hasPicture = (properties: string): boolean =>
  [...tagsIn(properties, 'style:background-image')].some(
    (tag) => (attributeOf(tag, 'xlink:href') ?? '') !== '',
  )

/** Properties of styles that are not drawn (ODF 1.3 part 3, clauses 17.18 and 20). */
const undrawn: readonly Undrawn[] = [
  {
    isUsed: (text) =>
      text.includes('<style:background-image') &&
      holders.some((name) => [...elementsIn(text, name)].some(({ content = '' }) => hasPicture(content))),
    code: 'read.background-picture',
    message: 'Background pictures of tables, rows, sections, headers and footers are not drawn.',
  },
  {
    isUsed: (text) => overline(text) || strikingText(text),
    code: 'read.text-line',
    message:
      'Lines above text are not drawn, and text struck through with letters is struck through with a line.',
  },
  {
    isUsed: hasValue(
      ['style:table-properties', 'style:graphic-properties'],
      'style:shadow',
      (value) => value !== 'none',
    ),
    code: 'read.frame-shadow',
    message: 'Tables and frames are drawn without shadows.',
  },
  {
    isUsed: hasValue(['style:ruby-properties'], 'style:ruby-position', (value) =>
      /^(?:below|inter-character)$/.test(value),
    ),
    code: 'read.ruby',
    message: 'Phonetic guides that belong below or beside their text are drawn above it.',
  },
  {
    isUsed: hasValue(
      ['text:notes-configuration'],
      'text:footnotes-position',
      (value) => value === 'document' || value === 'section',
    ),
    code: 'read.section-notes',
    message: 'Footnotes that belong at the end of the document or of a section are placed on their pages.',
  },
  {
    isUsed: hasValue(['style:page-layout-properties'], 'style:writing-mode', (value) =>
      /^(?:tb|bt)/.test(value),
    ),
    code: 'read.text-direction',
    message: 'Pages with vertical text are set horizontally.',
  },
  {
    isUsed: (text) => hasUnlikeSides(text) || letterShadow(text),
    code: 'read.text-border',
    message: 'Borders of letters whose sides differ are not drawn, nor are the shadows of such borders.',
  },
  {
    isUsed: (text) => hiddenBookmark(text) || conditionalBookmark(text),
    code: 'read.hidden-bookmark',
    message: 'Text that a bookmark hides is drawn.',
  },
  {
    isUsed: (text) =>
      [...elementsIn(text, 'text:deletion')].some(({ content = '' }) => content.includes('<text:list')),
    code: 'read.tracked-number',
    message:
      'Items of lists are numbered as if tracked deletions were not made, without their other number in brackets.',
  },
  {
    isUsed: ofText('style:text-rotation-angle', (value) => value === '90' || value === '270'),
    code: 'read.text-rotation',
    message: 'Text that is rotated by a quarter turn is set horizontally.',
  },
]

/** Warns about unsupported properties in the texts of the parts. */
export function reportUndrawn(shared: Shared, parts: readonly string[]): void {
  for (const { isUsed, code, message } of undrawn) if (parts.some(isUsed)) warn(shared, code, message)
}
