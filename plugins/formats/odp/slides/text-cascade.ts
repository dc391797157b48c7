/** Resolves the inherited formatting of text in shapes and cells (ODF 1.3 part 3, 16 and 20). */

import type { Block, Inline, Paragraph } from '../../../../shared/document/content.ts'
import type { Level, Numbering } from '../../../../shared/document/numbering.ts'
import type {
  Link,
  ListPosition,
  ParagraphProperties,
  RunProperties,
} from '../../../../shared/document/properties.ts'
import { ListCounter } from '../../../../shared/office/list-counter.ts'
import type { ListLevel } from '../../../../shared/office/opendocument/text/lists.ts'
import type { OpenStyle, OpenStyles } from '../../../../shared/office/opendocument/text/styles.ts'
import { assignAll } from '../../../../shared/push-all.ts'

/** The styles that a text inherits: those of its shape or cell, the nearest first. */
export interface TextBase {
  readonly styles: readonly OpenStyle[]
  /** For outlines: the paragraph style of a list level, counted from 1. */
  readonly ofLevel?: (level: number) => OpenStyle | undefined
  /** The height of lines depends on the size of their text, but not on its font. */
  readonly ignoresFont?: boolean
}

/** The formatting of a paragraph and of its text before any span. */
interface Inherited {
  readonly paragraph: ParagraphProperties
  readonly run: RunProperties
}

/** The list id of paragraphs whose list has no style (`placeInList`). */
const listWithoutStyle = 'plain'

/** Applies styles to blocks, so that they no longer refer to styles. Equal formatting shares one object. */
export class TextCascade {
  /** The lists in use, by the ids in the result. */
  readonly numbering = new Map<string, Numbering>()
  readonly #styles: OpenStyles
  readonly #lists: ReadonlyMap<string, Numbering>
  readonly #anchors: ReadonlyMap<string, string>
  readonly #inherited = new Map<string, Inherited>()
  readonly #runs = new WeakMap<RunProperties, WeakMap<RunProperties, RunProperties>>()
  readonly #paragraphs = new Map<string, ParagraphProperties>()

  /** `lists` are those that the paragraphs refer to, and `anchors` are the slides by the names that links refer to. */
  constructor(
    styles: OpenStyles,
    lists: ReadonlyMap<string, Numbering>,
    anchors: ReadonlyMap<string, string>,
  ) {
    this.#styles = styles
    this.#lists = lists
    this.#anchors = anchors
  }

  /** Formats the paragraphs of one text, which contains no tables. */
  apply(blocks: readonly Block[], base: TextBase): Block[] {
    const counter = new ListCounter()
    return blocks.flatMap((block) =>
      block.kind === 'paragraph' ? [this.#paragraph(block, base, counter)] : [],
    )
  }

  #paragraph(paragraph: Paragraph, base: TextBase, counter: ListCounter): Paragraph {
    const { style, list } = paragraph.properties
    const { paragraph: inherited, run } = this.#inherit(style, list === undefined ? 0 : list.level, base)
    // Observed in LibreOffice: labels have the size of the first letter.
    const first = paragraph.inlines.find((inline) => 'run' in inline)
    const size = (first === undefined ? run : this.#run(first.run, run)).size ?? 18
    const position =
      list && this.#counted({ ...list, list: this.#list(list.list, list.level, base, size) }, counter)
    const key = `${JSON.stringify(inherited)} ${JSON.stringify(position)}`
    let properties = this.#paragraphs.get(key)
    if (properties === undefined) {
      properties = position === undefined ? withinText(inherited) : { ...inherited, list: position }
      this.#paragraphs.set(key, properties)
    }
    return {
      kind: 'paragraph',
      properties,
      mark: this.#run(paragraph.mark, run),
      inlines: paragraph.inlines.map((inline) => this.#inline(inline, run)),
    }
  }

  #inline(inline: Inline, base: RunProperties): Inline {
    if (!('run' in inline)) return inline
    const run = this.#run(inline.run, base)
    const link = 'link' in inline && inline.link !== undefined ? this.#link(inline.link) : undefined
    return { ...inline, run, ...('link' in inline && { link }) }
  }

  /** Resolves a link to a slide by its name, or to an address. */
  #link(link: Link): Link {
    const anchor = 'anchor' in link && link.anchor !== undefined ? this.#anchors.get(link.anchor) : undefined
    return anchor === undefined ? link : { anchor }
  }

  #run(run: RunProperties, base: RunProperties): RunProperties {
    let over = this.#runs.get(base)
    if (over === undefined) this.#runs.set(base, (over = new WeakMap()))
    let merged = over.get(run)
    if (merged === undefined) {
      const { style, ...direct } = run
      merged = mergeRuns([base, style === undefined ? {} : this.#styles.flatRun(style), direct])
      over.set(run, merged)
    }
    return merged
  }

  #inherit(style: string | undefined, level: number, { styles, ofLevel, ignoresFont }: TextBase): Inherited {
    const key = `${styles.map(({ id }) => id).join(' ')} ${level} ${style ?? ''} ${ignoresFont}`
    const known = this.#inherited.get(key)
    if (known !== undefined) return known
    const ownStyles = style === undefined ? [] : this.#styles.chain(this.#styles.styles.get(style))
    const outline = level === 0 ? [] : this.#styles.chain(ofLevel?.(level + 1))
    const chain = [
      ...ownStyles,
      ...outline.filter((openStyle) => !styles.includes(openStyle)),
      ...styles,
    ].reverse()
    const { defaultGraphic } = this.#styles
    const all = [...(defaultGraphic === undefined ? [] : [defaultGraphic]), ...chain]
    const run = mergeRuns([
      ...all.map((openStyle) => openStyle.run),
      ignoresFont === true ? { lineIgnoresFont: true } : {},
    ])
    const inherited = { paragraph: mergeParagraphs(all.map((openStyle) => openStyle.paragraph)), run }
    this.#inherited.set(key, inherited)
    return inherited
  }

  /** A list position with its number. Each text counts for itself, whatever its lists continue (observed in LibreOffice). */
  #counted(position: ListPosition, counter: ListCounter): ListPosition {
    const { list, level, restart, unnumbered } = position
    const listLevel = this.numbering.get(list)?.levels[level]
    if (listLevel === undefined || unnumbered === true) return position
    const { format, text, start } = listLevel
    if (format === 'bullet' || format === 'none') {
      counter.interrupt(level)
      return position
    }
    return { ...position, restart: counter.next(level, `${format} ${text}`, start, restart) }
  }

  /** The id of a list whose labels have the sizes for text of this size. */
  #list(id: string, level: number, { styles }: TextBase, size: number): string {
    const read = this.#lists.get(id)
    const ofShape = styles.find((style) => style.levels !== undefined)
    const levels: readonly ListLevel[] | undefined =
      id === listWithoutStyle && ofShape?.levels !== undefined ? ofShape.levels.levels : read?.levels
    if (levels === undefined) return id
    const key = `${id} ${id === listWithoutStyle ? (ofShape?.id ?? '') : ''} ${level} ${size}`
    if (!this.numbering.has(key)) {
      const counters = read?.counters ?? id
      this.numbering.set(key, { counters, levels: levels.map((listLevel) => sizedLevel(listLevel, size)) })
    }
    return key
  }
}

/** Without a label, no line begins before the text (observed in LibreOffice). */
function withinText(paragraph: ParagraphProperties): ParagraphProperties {
  const { start = 0, first = 0, ...indent } = paragraph.indent ?? {}
  const inside = Math.max(0, start)
  return { ...paragraph, indent: { ...indent, start: inside, first: Math.max(first, -inside) } }
}

/** A level whose label has an absolute size and one font for all scripts. */
function sizedLevel({ relativeSize, ...level }: ListLevel, size: number): Level {
  const family = level.format === 'bullet' ? level.run.fonts?.ascii : undefined
  return {
    ...level,
    run: {
      ...level.run,
      ...(relativeSize !== undefined && { size: size * relativeSize, complexSize: size * relativeSize }),
      ...(family !== undefined && {
        fonts: { ascii: family, other: family, eastAsia: family, complex: family },
      }),
    },
    ...(level.format === 'bullet' && { isCentred: true }),
  }
}

/** Merges runs; later ones take precedence. Fonts are merged for each script. */
function mergeRuns(runs: readonly RunProperties[]): RunProperties {
  const fonts = assignAll(
    {},
    runs.map((run) => run.fonts),
  )
  return { ...assignAll({}, runs), ...(Object.keys(fonts).length > 0 && { fonts }) }
}

/**
 * Merges the paragraph properties that texts of presentations have. Indents are merged for each side. The alignment of the
 * last line is omitted, since LibreOffice ignores it.
 */
function mergeParagraphs(levels: readonly ParagraphProperties[]): ParagraphProperties {
  const merged = assignAll<ParagraphProperties>({}, levels)
  const { align, spaceBefore, spaceAfter, line, tabs, rightToLeft, defaultTab, hangingPunctuation } = merged
  const indent = assignAll<NonNullable<ParagraphProperties['indent']>>(
    {},
    levels.map((level) => level.indent),
  )
  return {
    align: align ?? 'left',
    indent,
    spaceBefore: spaceBefore ?? 0,
    spaceAfter: spaceAfter ?? 0,
    line: line ?? { rule: 'multiple', value: 1 },
    ...(hangingPunctuation !== undefined && { hangingPunctuation }),
    ...(tabs !== undefined && { tabs }),
    ...(rightToLeft === true && { rightToLeft }),
    ...(defaultTab !== undefined && defaultTab > 0 && { defaultTab }),
  }
}
