/** Slides and their masters (ODF 1.3 part 3, 10.2.4 and 16.9). */
import type { Background } from '../../../../shared/document/background.ts'
import { repeated, type Slide, type SlideShape } from '../../../../shared/document/deck.ts'
import type { GroupChild } from '../../../../shared/document/drawing.ts'
import type { Color } from '../../../../shared/document/paint.ts'
import { backgroundOf, coloured } from '../../../../shared/office/opendocument/text/background.ts'
import { readForms } from '../../../../shared/office/opendocument/text/forms.ts'
import type { OdfPartContext, PageField } from '../../../../shared/office/opendocument/text/part-context.ts'
import type { OpenStyle } from '../../../../shared/office/opendocument/text/styles.ts'
import { color, exactLength } from '../../../../shared/office/opendocument/values.ts'
import { openVocabulary } from '../../../../shared/office/opendocument/vocabulary.ts'
import { XmlCursor } from '../../../../shared/xml/cursor.ts'
import { tagsIn } from '../../../../shared/xml/elements.ts'
import type { PageReading } from './context.ts'
import { readShape } from './shapes.ts'
import { readTemplate, type TableTemplate } from './table.ts'

/** A page size in points. */
export interface PageSize {
  readonly width: number
  readonly height: number
}

/** A master page whose shapes have not been read. */
export interface Master {
  readonly name: string
  readonly style: OpenStyle | undefined
  readonly layout: string
  /** The markup of its shapes. */
  readonly shapes: readonly string[]
  /** Its shapes without headers and footers; read when the first slide needs them, or for each slide where they vary. */
  read?: readonly GroupChild[]
  /** Whether shapes have fields whose text each slide has for itself. */
  varies?: boolean
}

/** The masters, page sizes and table templates of a presentation, and the texts of its footers by name. */
export interface DeckParts {
  readonly masters: Map<string, Master>
  readonly sizes: Map<string, PageSize>
  readonly templates: Map<string, TableTemplate>
  readonly footers: Map<string, PageField>
}

/** The maximum side of a page in points, which is that of a PDF page (ISO 32000-1, annex C). */
const maxSide = 14_400
const side = (text: string | undefined, otherwise: number): number =>
  Math.max(7.2, Math.min(maxSide, exactLength(text) ?? otherwise))

/** The default page size of LibreOffice Impress, in points. */
const defaultSize: PageSize = { width: 793.7, height: 446.45 }

/** Reads a child of office:styles, office:automatic-styles or office:master-styles that only presentations have. */
export function readDeckPart(part: OdfPartContext, name: string, parts: DeckParts): void {
  const { cursor, styles, scope } = part
  const key = cursor.attribute('style:name') ?? ''
  if (name === 'table:table-template') {
    parts.templates.set(
      cursor.attribute('table:name') ?? cursor.attribute('text:style-name') ?? '',
      readTemplate(cursor),
    )
  } else if (name === 'style:page-layout')
    cursor.each((child) => {
      if (child !== 'style:page-layout-properties') return
      const [width, height] = [cursor.attribute('fo:page-width'), cursor.attribute('fo:page-height')]
      parts.sizes.set(key, {
        width: side(width, defaultSize.width),
        height: side(height, defaultSize.height),
      })
    })
  else if (name === 'style:master-page') {
    const shapes: string[] = []
    const style = styles.find(scope, 'drawing-page', cursor.attribute('draw:style-name'))
    const layout = cursor.attribute('style:page-layout-name') ?? ''
    cursor.each((child) => {
      if (child.startsWith('draw:') || child.startsWith('dr3d:')) shapes.push(cursor.markup())
    })
    parts.masters.set(key, { name: key, style, layout, shapes })
  }
}

/** Reads presentation:footer-decl and similar elements (ODF 1.3 part 3, 9.11.2 to 9.11.4) at the cursor. */
export function readDeclaration(cursor: XmlCursor, name: string, { footers }: DeckParts): void {
  const kind = name.replace(/-decl$/, '')
  const key = `${kind} ${cursor.attribute('presentation:name') ?? ''}`
  const isCurrent = cursor.attribute('presentation:source') === 'current-date'
  const dateStyle = cursor.attribute('style:data-style-name') ?? ''
  footers.set(key, isCurrent ? { dateStyle } : { text: cursor.text() })
}

/** The kinds of headers and footers, by their names in attributes. */
const footerKinds = ['header', 'footer', 'date-time', 'page-number'] as const

/** The style of a slide. Absent attributes are those of the master. */
interface PageStyle {
  readonly get: (name: string) => string | undefined
  readonly isShown: (name: string) => boolean
}

/** The inputs for reading the slides of one presentation. */
export interface SlideSource {
  readonly parts: DeckParts
  readonly reading: Omit<PageReading, 'index' | 'onTitle'>
  /** The part that contains the masters. */
  readonly masterPart: OdfPartContext
}

/** Reads draw:page at the cursor. Returns undefined for a hidden slide. */
export function readSlide(source: SlideSource, index: number, id: string): Slide | undefined {
  const { parts, reading } = source
  const { part } = reading
  const { cursor, styles, scope } = part
  const style = styles.find(scope, 'drawing-page', cursor.attribute('draw:style-name'))
  if (styles.attribute(style, 'presentation:visibility') === 'hidden') return undefined
  const master = parts.masters.get(cursor.attribute('draw:master-page-name') ?? '')
  const pageStyle: PageStyle = {
    get: (name) => styles.attribute(style, name),
    isShown: (name) => styles.attribute(style, `presentation:${name}`) !== 'false',
  }
  const fields = fieldsHere(part, parts, index)
  // Observed in LibreOffice: what the first slide leaves counts only there.
  if (index === 1) reading.lines.ignoreFont = false
  let title = ''
  const shapes: SlideShape[] = []
  const tree = {
    reading: {
      ...reading,
      part: withFields(part, fields),
      index,
      onTitle: (text: string) => {
        if (title === '') title = text
      },
    },
    templates: parts.templates,
    draws: () => true,
  }
  // The shapes of the master are behind those of the slide, and come first in the order of drawing.
  const ofMaster = master === undefined ? [] : masterShapes(source, master, pageStyle, { fields, index })
  cursor.each((name) => {
    if (name === 'office:forms') readForms(part)
    else if (name.startsWith('draw:') || name.startsWith('dr3d:')) readShape(tree, name, shapes)
  })
  const { width, height } = parts.sizes.get(master?.layout ?? '') ?? defaultSize
  return {
    id,
    width,
    height,
    title,
    ...backgroundHere(source, pageStyle, master),
    shapes: [...repeated(ofMaster), ...shapes],
  }
}

/** The names that LibreOffice stores for slides without a name, which it shows as its word for a slide and their number. */
const standardName = /^page\d+$/

/** The values of the fields for headers, footers and the name of the slide on the page at the cursor. */
function fieldsHere(
  { cursor }: OdfPartContext,
  { footers }: DeckParts,
  index: number,
): ReadonlyMap<string, PageField> {
  const fields = new Map<string, PageField>()
  const name = cursor.attribute('draw:name') ?? ''
  fields.set('loext:page-name', {
    text: name === '' || standardName.test(name) ? `Slide ${index + 1}` : name,
  })
  for (const kind of ['header', 'footer', 'date-time']) {
    const value = footers.get(
      `presentation:${kind} ${cursor.attribute(`presentation:use-${kind}-name`) ?? ''}`,
    )
    if (value !== undefined) fields.set(`presentation:${kind}`, value)
  }
  return fields
}

const withFields = (part: OdfPartContext, pageFields: ReadonlyMap<string, PageField>): OdfPartContext => ({
  ...part,
  shared: { ...part.shared, pageFields },
})

/** The shapes of a master that a slide shows. Headers and footers are included only if the slide enables them. */
function masterShapes(
  source: SlideSource,
  master: Master,
  { isShown }: PageStyle,
  { fields, index }: { readonly fields: ReadonlyMap<string, PageField>; readonly index: number },
): readonly GroupChild[] {
  if (!isShown('background-objects-visible')) return []
  const isOfMaster = (kind: string | undefined): boolean => kind === undefined
  master.varies ??= master.shapes.some((markup) => tagsIn(markup, ...pageFields).next().done === false)
  if (master.varies) master.read = readMasterShapes(source, master, { fields, index, draws: isOfMaster })
  else if (master.read === undefined) {
    // Observed in LibreOffice: texts of masters do not count for those of slides, unless they have fields.
    const { lines } = source.reading
    const { ignoreFont } = lines
    master.read = readMasterShapes(source, master, { fields: new Map(), index, draws: isOfMaster })
    lines.ignoreFont = ignoreFont
  }
  const shown = new Set<string | undefined>(footerKinds.filter((kind) => isShown(`display-${kind}`)))
  const footers = readMasterShapes(source, master, {
    fields,
    index,
    draws: (kind) => kind !== undefined && shown.has(kind),
  })
  return [...master.read, ...footers]
}

/** The fields whose text each slide has for itself. */
const pageFields = ['presentation:header', 'presentation:footer', 'presentation:date-time', 'loext:page-name']

interface MasterSelection {
  readonly fields: ReadonlyMap<string, PageField>
  readonly index: number
  readonly draws: (kind: string | undefined) => boolean
}

function readMasterShapes(
  { reading, masterPart, parts }: SlideSource,
  { shapes: markups }: Master,
  { fields, index, draws }: MasterSelection,
): GroupChild[] {
  const shapes: GroupChild[] = []
  for (const markup of markups) {
    const ofClass = markup.slice(0, markup.indexOf('>')).includes('presentation:class')
    if (ofClass === draws(undefined)) continue
    const cursor = new XmlCursor(markup, openVocabulary)
    const part = withFields({ ...masterPart, cursor }, fields)
    const tree = { reading: { ...reading, part, index }, templates: parts.templates, draws }
    if (cursor.root()) readShape(tree, cursor.name, shapes)
  }
  return shapes
}

/** The background of a slide: its own, otherwise that of its master or of the master's style. */
function backgroundHere(
  { reading }: SlideSource,
  { get, isShown }: PageStyle,
  master: Master | undefined,
): { readonly color?: Color; readonly background?: Background } {
  const { styles } = reading.part
  const named = styles.styles.get(`presentation/${master?.name ?? ''}-background`)
  const ofMaster = (name: string): string | undefined => styles.attribute(master?.style, name)
  const ofStyle = (name: string): string | undefined => styles.attribute(named, name)
  const levels = [get, ...(isShown('background-visible') ? [ofMaster, ofStyle] : [])]
  const filledLevel = levels.find((level) => (level('draw:fill') ?? 'none') !== 'none')
  if (filledLevel === undefined) return {}
  const behind = backgroundOf(filledLevel, styles)
  const fill =
    behind !== undefined && !coloured(filledLevel) ? undefined : color(filledLevel('draw:fill-color'))
  return { ...(fill !== undefined && { color: fill }), ...(behind !== undefined && { background: behind }) }
}
