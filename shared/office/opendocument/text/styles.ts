import type { HatchBackground } from '../../../document/background.ts'
import type { GenericFont } from '../../../document/generic-font.ts'
import type { Gradient } from '../../../document/paint.ts'
import type { ParagraphProperties, RunProperties } from '../../../document/properties.ts'
import type { LineNumbers, SectionProperties } from '../../../document/section.ts'
import type { Style } from '../../../document/styles.ts'
import { entryOf } from '../../../entry-of.ts'
import { assignAll } from '../../../push-all.ts'
import type { XmlCursor } from '../../../xml/cursor.ts'
import { integer, length, percent } from '../values.ts'
import { backdropOf, noteBackgroundImage, readHatch } from './background.ts'
import { readColumns } from './columns.ts'
import { counterFormat } from './counters.ts'
import { isSimplified, readOpenGradient } from './gradient.ts'
import { type ListStyle, readListStyle } from './lists.ts'
import { type MomentStyle, readMomentStyle } from './moment-style.ts'
import { type NoteKind, type NoteRules, readNotesConfiguration } from './notes-configuration.ts'
import { type MasterPage, type PageLayout, readMasterPage, readPageLayout } from './pages.ts'
import {
  type FaceNames,
  readHyphenation,
  readParagraphProperties,
  readTextProperties,
} from './text-properties.ts'

/**
 * Attributes of the graphic, table, column, row, cell and section properties of a style. They are interpreted
 * where they are used.
 */
export type Attributes = ReadonlyMap<string, string>

/** A style with information that is needed only while reading. */
export interface OpenStyle extends Style {
  readonly attributes: Attributes
  readonly listStyle?: string
  readonly masterPage?: string
  readonly outlineLevel?: number
  readonly automatic: boolean
  /** Font sizes as shares of that of the parent style; resolved by `readStyleContainer`. */
  readonly shares?: { readonly size?: number; readonly complexSize?: number }
  readonly columns?: SectionProperties['columns']
  /** The list style that the properties of a shape's style contain (presentations). */
  readonly levels?: ListStyle
}

/** Maximum number of styles of a document; the others are ignored. */
const maxStyles = 50_000
/** Maximum number of parent styles that are followed, since they may form a cycle. */
const maxChain = 32

/** ODF's default: a paragraph may break after any line unless fo:orphans or fo:widows are set. */
const openParagraph: ParagraphProperties = { widowControl: false }

/**
 * All styles of a document. Automatic styles belong to the part that declares them, so their ids begin with
 * its scope.
 */
export class OpenStyles {
  readonly styles = new Map<string, OpenStyle>()
  readonly lists = new Map<string, ListStyle>()
  readonly layouts = new Map<string, PageLayout>()
  readonly masters = new Map<string, MasterPage>()
  readonly faces = new Map<string, string>()
  /** The generic families that replace these faces, by their lower-case names. */
  readonly genericFonts = new Map<string, GenericFont>()
  readonly gradients = new Map<string, Gradient>()
  readonly hatches = new Map<string, HatchBackground>()
  readonly fillImages = new Map<string, string>()
  /** Pictures of backgrounds and fills in use, to be added to Document.media. */
  readonly pictures = new Set<string>()
  /** Gradients of unsupported kinds, and those of them that are in use (see `Fills`). */
  readonly simplified = new Set<string>()
  readonly simplifiedInUse = new Set<string>()
  /** Page backgrounds end at the margins (see `Fills.withinMargins`). */
  withinMargins = false
  /** Formats of dates and times by style name. */
  readonly moments = new Map<string, MomentStyle>()
  readonly notes = new Map<NoteKind, NoteRules>()
  outline: ListStyle | undefined
  lineNumbers: LineNumbers | undefined
  /** How tables share borders that do not say it themselves: LibreOffice writes the model of all in a default style. */
  defaultBorderModel: 'collapsing' | 'separating' = 'separating'
  defaultParagraph: ParagraphProperties = openParagraph
  defaultRun: RunProperties = { size: 12 }
  /** What the styles of shapes and of their text are based on; absent: nothing. */
  defaultGraphic: StyleProperties | undefined

  /** Returns the id of a style: the automatic style of that part, or else the common style. */
  id(scope: string, family: string, name: string | undefined): string | undefined {
    if (name === undefined) return undefined
    const automaticId = `${scope}/${family}/${name}`
    return this.styles.has(automaticId) ? automaticId : `${family}/${name}`
  }

  find(scope: string, family: string, name: string | undefined): OpenStyle | undefined {
    const id = this.id(scope, family, name)
    return id === undefined ? undefined : this.styles.get(id)
  }

  /** Returns an attribute of a style or of its nearest parent that has it. */
  attribute(style: OpenStyle | undefined, name: string): string | undefined {
    for (const ancestor of this.chain(style)) {
      const value = ancestor.attributes.get(name)
      if (value !== undefined) return value
    }
    return undefined
  }

  /** Returns a style and its parents, nearest first. */
  chain(style: OpenStyle | undefined): OpenStyle[] {
    const chain: OpenStyle[] = []
    for (let at = style; at !== undefined && chain.length < maxChain; ) {
      chain.push(at)
      at = at.basedOn === undefined ? undefined : this.styles.get(at.basedOn)
    }
    return chain
  }

  /** Returns the text properties of a style merged with those of its parents, without the defaults. */
  flatRun(id: string): RunProperties {
    const chain = this.chain(this.styles.get(id)).reverse()
    return assignAll<RunProperties>(
      {},
      chain.map(({ run }) => run),
    )
  }
}

/** Reads text:linenumbering-configuration (ODF 1.3 part 3, 16.30); undefined when lines are not numbered. */
function readLineNumbers(cursor: XmlCursor): LineNumbers | undefined {
  const get = (name: string): string | undefined => cursor.attribute(name)
  if (get('text:number-lines') === 'false') return undefined
  return {
    every: Math.max(1, integer(get('text:increment')) ?? 1),
    start: 1,
    distance: length(get('text:offset')),
    restart: get('text:restart-on-page') === 'true' ? 'page' : 'continuous',
    format: counterFormat(cursor, 'decimal'),
    skipsEmpty: get('text:count-empty-lines') === 'false',
    ...(get('text:style-name') !== undefined && { style: `text/${get('text:style-name')}` }),
  }
}

/**
 * Reads a container of styles in styles.xml (scope 's') or content.xml (scope 'c'). Font sizes given as
 * shares are resolved at the end, when all parents are known. `onOther` is called for elements of other kinds, and for page
 * layouts, which presentations read themselves.
 */
export function readStyleContainer(
  cursor: XmlCursor,
  into: OpenStyles,
  scope: string,
  automatic: boolean,
  onOther?: (name: string) => void,
): void {
  /** Styles whose font sizes are fractions of those of their parents. */
  const relative: OpenStyle[] = []
  const addNamed = <T>(styles: Map<string, T>, read: () => T): void => {
    const name = cursor.attribute('style:name')
    const style = read()
    if (name !== undefined) styles.set(automatic ? `${scope}/${name}` : name, style)
  }
  cursor.each((name) => {
    switch (name) {
      case 'style:style': {
        const style = readStyle(cursor, into, automatic ? scope : undefined)
        if (style === undefined || into.styles.size >= maxStyles) break
        into.styles.set(style.id, style)
        if (style.shares !== undefined) relative.push(style)
        break
      }
      case 'style:default-style':
        readDefault(cursor, into)
        break
      case 'text:list-style':
        addNamed(into.lists, () => readListStyle(cursor, into.faces))
        break
      case 'draw:gradient':
      case 'draw:hatch':
      case 'draw:fill-image':
        readNamedFill(cursor, name, into)
        break
      case 'number:date-style':
      case 'number:time-style':
        addNamed(into.moments, () => readMomentStyle(cursor))
        break
      case 'text:outline-style':
        into.outline = readListStyle(cursor, into.faces)
        break
      case 'text:linenumbering-configuration':
        into.lineNumbers = readLineNumbers(cursor)
        break
      case 'text:notes-configuration':
        readNotesConfiguration(cursor, into.notes)
        break
      case 'style:page-layout': {
        if (onOther !== undefined) {
          onOther(name)
          break
        }
        const id = cursor.attribute('style:name')
        const layout = readPageLayout(cursor, into)
        if (id !== undefined) into.layouts.set(id, layout)
        break
      }
      default:
        onOther?.(name)
    }
  })
  resolveSizes(into, relative)
}

/** Reads a gradient, hatch or picture that the fills of styles refer to by its name. */
function readNamedFill(
  cursor: XmlCursor,
  kind: 'draw:gradient' | 'draw:hatch' | 'draw:fill-image',
  into: OpenStyles,
): void {
  const name = cursor.attribute('draw:name')
  if (name === undefined) return
  if (kind === 'draw:fill-image') into.fillImages.set(name, cursor.attribute('xlink:href') ?? '')
  else if (kind === 'draw:hatch') into.hatches.set(name, readHatch(cursor))
  else {
    into.gradients.set(name, readOpenGradient(cursor))
    if (isSimplified(cursor)) into.simplified.add(name)
  }
}

/** Replaces relative font sizes by sizes in points, now that all parents are known. */
function resolveSizes(into: OpenStyles, relative: readonly OpenStyle[]): void {
  const sizes = new Map<string, number>()
  for (const style of relative) {
    const { size, complexSize } = style.shares ?? {}
    const run: RunProperties = {
      ...style.run,
      ...(size !== undefined && { size: sizeOf(into, style, 'size', sizes) }),
      ...(complexSize !== undefined && { complexSize: sizeOf(into, style, 'complexSize', sizes) }),
    }
    into.styles.set(style.id, { ...style, run, shares: undefined })
  }
}

/**
 * Font size of a style in points: its own, or its share of the parent's size (ODF 1.2, 20.183). `cache`
 * caches results.
 */
function sizeOf(
  styles: OpenStyles,
  style: OpenStyle | undefined,
  key: 'size' | 'complexSize',
  cache: Map<string, number>,
  depth = 0,
): number {
  if (style === undefined || depth > maxChain) return styles.defaultRun[key] ?? 12
  const id = `${key} ${style.id}`
  let size = cache.get(id) ?? style.run[key]
  if (size === undefined) {
    const parent = style.basedOn === undefined ? undefined : styles.styles.get(style.basedOn)
    size = sizeOf(styles, parent, key, cache, depth + 1) * (style.shares?.[key] ?? 1)
    cache.set(id, size)
  }
  return size
}

type FontFaces = Pick<OpenStyles, 'faces' | 'genericFonts'>

/** Reads the font families of office:font-face-decls (16.23). */
export function readFaces(cursor: XmlCursor, { faces, genericFonts }: FontFaces): void {
  cursor.each((name) => {
    const key = cursor.attribute('style:name')
    const family = cursor.attribute('svg:font-family')
    if (name === 'style:font-face' && key !== undefined && family !== undefined) {
      const familyName = family
        .split(',')[0]!
        .trim()
        .replace(/^['"]|['"]$/g, '')
      faces.set(key, familyName)
      // Observed in Writer: a missing font of one width is replaced by such a font, any other by one without serifs. It
      // writes the generic family "roman" for fonts without serifs, too.
      if (cursor.attribute('style:font-pitch') === 'fixed') genericFonts.set(familyName.toLowerCase(), 'mono')
    }
  })
}

/** Reads the page styles of office:master-styles; `readContent` reads a header or footer. */
export function readMasters(
  cursor: XmlCursor,
  into: OpenStyles,
  readContent: Parameters<typeof readMasterPage>[1],
): void {
  cursor.each((name) => {
    if (name !== 'style:master-page') return
    const id = cursor.attribute('style:name')
    const master = readMasterPage(cursor, readContent)
    if (id !== undefined) into.masters.set(id, master)
  })
}

/** style:default-style (16.4): those of paragraphs and shapes, and of tables how they share borders. */
function readDefault(cursor: XmlCursor, into: OpenStyles): void {
  const family = cursor.attribute('style:family')
  if (family === 'graphic') into.defaultGraphic = readProperties(cursor, into)
  if (family === 'table')
    cursor.each(() => {
      if (cursor.attribute('table:border-model') === 'collapsing') into.defaultBorderModel = 'collapsing'
    })
  if (family !== 'paragraph') return
  let hyphenation: ParagraphProperties = {}
  cursor.each((child) => {
    if (child === 'style:paragraph-properties') into.defaultParagraph = readParagraphProperties(cursor)
    else if (child === 'style:text-properties') {
      hyphenation = readHyphenation(cursor)
      into.defaultRun = { size: 12, ...readTextProperties(cursor, into.faces) }
    }
  })
  into.defaultParagraph = {
    ...openParagraph,
    align: 'left',
    hyphenate: false,
    ...into.defaultParagraph,
    ...hyphenation,
  }
}

const kinds: Readonly<Record<string, Style['kind']>> = { paragraph: 'paragraph', text: 'run', table: 'table' }

/** The formatting that a style or a default style sets. */
interface StyleProperties extends Pick<OpenStyle, 'attributes' | 'columns' | 'shares' | 'levels'> {
  readonly paragraph: ParagraphProperties
  /** Hyphenation is a property of text in the file. */
  readonly hyphenation: ParagraphProperties
  readonly run: RunProperties
}

/** The attributes of paragraph properties that are interpreted where they are used. */
const keptParagraphAttributes: ReadonlySet<string> = new Set([
  'style:page-number',
  'style:font-independent-line-spacing',
  'style:writing-mode',
])

/** Reads the properties inside a style, on which the cursor stands. */
function readProperties(cursor: XmlCursor, into: OpenStyles): StyleProperties {
  let paragraph: ParagraphProperties = {}
  let hyphenation: ParagraphProperties = {}
  let run: RunProperties = {}
  let columns: OpenStyle['columns']
  let shares: OpenStyle['shares']
  let levels: ListStyle | undefined
  const attributes = new Map<string, string>()
  const faces: FaceNames = into.faces
  cursor.each((element) => {
    if (element === 'style:paragraph-properties') {
      for (const [key, value] of cursor.attributes())
        if (keptParagraphAttributes.has(key)) attributes.set(key, value)
      paragraph = readParagraphProperties(cursor, (child) => {
        if (child === 'style:background-image') noteBackgroundImage(cursor, attributes)
      })
    } else if (element === 'style:text-properties') {
      const size = percent(cursor.attribute('fo:font-size'))
      const complexSize = percent(cursor.attribute('style:font-size-complex'))
      hyphenation = readHyphenation(cursor)
      if (size !== undefined || complexSize !== undefined) shares = { size, complexSize }
      run = readTextProperties(cursor, faces)
    } else if (element.endsWith('-properties')) {
      for (const [key, value] of cursor.attributes()) attributes.set(key, value)
      cursor.each((child) => {
        if (child === 'style:columns') columns = readColumns(cursor)
        else if (child === 'text:list-style') levels = readListStyle(cursor, faces)
        else if (child === 'text:notes-configuration') attributes.set(child, 'true')
        else if (child === 'style:background-image') noteBackgroundImage(cursor, attributes)
      })
    }
  })
  return { paragraph, hyphenation, run, attributes, columns, shares, ...(levels !== undefined && { levels }) }
}

/** style:style (16.2). `scope` is given for automatic styles. Undefined without a name or family. */
function readStyle(cursor: XmlCursor, into: OpenStyles, scope: string | undefined): OpenStyle | undefined {
  const name = cursor.attribute('style:name')
  const family = cursor.attribute('style:family')
  if (name === undefined || family === undefined) return undefined
  const parent = cursor.attribute('style:parent-style-name')
  const listStyle = cursor.attribute('style:list-style-name')
  const masterPage = cursor.attribute('style:master-page-name')
  const outlineLevel = integer(cursor.attribute('style:default-outline-level'))
  const title = cursor.attribute('style:display-name') ?? name
  const {
    paragraph: read,
    hyphenation,
    run,
    attributes,
    columns,
    shares,
    levels,
  } = readProperties(cursor, into)
  let paragraph = read
  const backdrop = family === 'paragraph' ? backdropOf((key) => attributes.get(key), into) : undefined
  if (backdrop !== undefined) paragraph = { ...paragraph, backdrop }
  return {
    id: scope === undefined ? `${family}/${name}` : `${scope}/${family}/${name}`,
    name: title.toLowerCase(),
    kind: entryOf(kinds, family) ?? 'list',
    basedOn: parent === undefined ? undefined : `${family}/${parent}`,
    paragraph: family === 'paragraph' ? { ...paragraph, ...hyphenation } : paragraph,
    run,
    attributes,
    listStyle,
    masterPage: masterPage === '' ? undefined : masterPage,
    outlineLevel,
    automatic: scope !== undefined,
    shares,
    columns,
    ...(levels !== undefined && { levels }),
  }
}
