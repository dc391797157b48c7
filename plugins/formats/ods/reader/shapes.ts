/**
 * Shapes and text boxes over the cells (ODF 1.3 part 3, 10.3 and 10.4). They are read as those of texts, whose styles they
 * share.
 */
import type { Block } from '../../../../shared/document/content.ts'
import type { Document } from '../../../../shared/document/document.ts'
import type { Drawing } from '../../../../shared/document/drawing.ts'
import type { RunProperties } from '../../../../shared/document/properties.ts'
import { readDrawing } from '../../../../shared/office/opendocument/text/drawing.ts'
import { drawingState } from '../../../../shared/office/opendocument/text/drawing-state.ts'
import { readForms } from '../../../../shared/office/opendocument/text/forms.ts'
import { finishFills, type OdfPartContext } from '../../../../shared/office/opendocument/text/part-context.ts'
import {
  OpenStyles,
  readFaces,
  readStyleContainer,
} from '../../../../shared/office/opendocument/text/styles.ts'
import { transformed } from '../../../../shared/office/opendocument/transform.ts'
import { length } from '../../../../shared/office/opendocument/values.ts'
import { openVocabulary } from '../../../../shared/office/opendocument/vocabulary.ts'
import type { ReadFile } from '../../../../shared/office/package.ts'
import type { Warning } from '../../../../shared/plugin/values.ts'
import { XmlCursor } from '../../../../shared/xml/cursor.ts'
import { attributeOf, contentOf, elementIn, elementsIn } from '../../../../shared/xml/elements.ts'

/** A shape with the top left corner of its box before it is rotated, in points. */
export interface PlacedShape {
  readonly x: number
  readonly y: number
  readonly drawing: Drawing
}

/** Elements that are read here. */
const shapeElements: ReadonlySet<string> = new Set([
  'draw:custom-shape',
  'draw:rect',
  'draw:line',
  'draw:ellipse',
  'draw:circle',
  'draw:path',
  'draw:polygon',
  'draw:polyline',
  'draw:regular-polygon',
  'draw:connector',
  'draw:caption',
  'draw:measure',
  'draw:control',
  'draw:g',
])
const lines: ReadonlySet<string> = new Set(['draw:line', 'draw:connector', 'draw:measure'])
/** A note at a cell that is shown all the time has the attributes of a caption (19.116). */
export const noteElement = 'office:annotation'

/** Reads the shapes of one document. Its styles are read when the first shape needs them. */
export class ShapeReader {
  readonly #parts: ReadFile
  readonly #texts: readonly string[]
  readonly #media: Map<string, Uint8Array>
  #styles: OpenStyles | undefined
  #shared: OdfPartContext['shared'] | undefined

  /** `texts`: the parts with styles and content; a flat document is one. */
  constructor(parts: ReadFile, texts: readonly string[], media: Map<string, Uint8Array>) {
    this.#parts = parts
    this.#texts = texts
    this.#media = media
  }

  /** Reads office:forms, so that the shapes of its controls have their labels and values. */
  readForms(cursor: XmlCursor): void {
    if (!cursor.isEmpty) readForms(this.#partOf(cursor))
  }

  #partOf(cursor: XmlCursor): OdfPartContext & { readonly styles: OpenStyles } {
    this.#styles ??= readShapeStyles(this.#texts)
    this.#shared ??= drawingState(this.#parts, this.#media)
    return { cursor, scope: 'c', styles: this.#styles, shared: this.#shared }
  }

  /** Reads the shape at the cursor; undefined for other drawings. */
  read(cursor: XmlCursor): PlacedShape | undefined {
    const name = cursor.name === noteElement ? 'draw:caption' : cursor.name
    const isTextBox = name === 'draw:frame' && elementIn(cursor.markup(), 'draw:text-box') !== undefined
    if (!shapeElements.has(name) && !isTextBox) return undefined
    const part = this.#partOf(cursor)
    const { styles } = part
    const transform = cursor.attribute('draw:transform')
    const at = (key: string): number => length(cursor.attribute(key)) ?? 0
    const isLine = lines.has(name)
    const corner = name === 'draw:g' ? groupCorner(cursor) : undefined
    const x = corner?.x ?? (isLine ? Math.min(at('svg:x1'), at('svg:x2')) : at('svg:x'))
    const y = corner?.y ?? (isLine ? Math.min(at('svg:y1'), at('svg:y2')) : at('svg:y'))
    const run = styles.chain(styles.find('c', 'graphic', cursor.attribute('draw:style-name')))[0]?.run
    const { anchor: _, ...drawing } = readDrawing(part, name) ?? { anchor: undefined, content: undefined }
    if (drawing.content === undefined) return undefined
    const styled = { ...drawing, content: withText(drawing.content, run) }
    if (transform === undefined) return { x, y, drawing: { ...styled, rotation: 0 } }
    const { width, height, rotation, ...origin } = transformed(transform, drawing.width, drawing.height)
    return { ...origin, drawing: { ...styled, width, height, rotation } }
  }

  /** The styles of the texts of shapes; undefined if there are none. */
  get textStyles(): Document['styles'] | undefined {
    if (this.#styles === undefined) return undefined
    const { styles, defaultParagraph: paragraph, defaultRun: run } = this.#styles
    return { styles, defaults: { paragraph, run } }
  }

  /** Adds the pictures of fills to the media, and returns what is not drawn. */
  finish(): Iterable<Warning> {
    if (this.#styles !== undefined && this.#shared !== undefined) finishFills(this.#shared, this.#styles)
    return this.#shared?.warnings.values() ?? []
  }
}

/** The top left corner of the members of a group, which has no position of its own. */
function groupCorner(cursor: XmlCursor): { readonly x: number; readonly y: number } {
  let [x, y] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (const { name, attributes } of elementsIn(contentOf(cursor.markup()) ?? '')) {
    if (!name.startsWith('draw:')) continue
    const at = (key: string): number =>
      length(attributeOf(attributes, key) ?? attributeOf(attributes, `${key}1`)) ?? 0
    x = Math.min(x, at('svg:x'))
    y = Math.min(y, at('svg:y'))
  }
  return Number.isFinite(x) ? { x, y } : { x: 0, y: 0 }
}

function readShapeStyles(texts: readonly string[]): OpenStyles {
  const styles = new OpenStyles()
  for (const xml of texts) {
    const cursor = new XmlCursor(xml, openVocabulary)
    if (!cursor.root()) continue
    const scope = cursor.name === 'office:document-styles' ? 's' : 'c'
    cursor.each((name) => {
      if (name === 'office:font-face-decls') readFaces(cursor, styles)
      else if (name === 'office:styles') readStyleContainer(cursor, styles, scope, false)
      else if (name === 'office:automatic-styles') readStyleContainer(cursor, styles, scope, true)
    })
  }
  return styles
}

/** Text without a style of its own is formatted by the style of its shape. */
function withText(content: Drawing['content'], run: RunProperties | undefined): Drawing['content'] {
  if (run === undefined || content.kind !== 'shape' || content.text === undefined) return content
  const blocks = content.text.blocks.map((block): Block => {
    if (block.kind !== 'paragraph' || block.properties.style !== undefined) return block
    const inlines = block.inlines.map((inline) =>
      inline.kind === 'text' ? { ...inline, run: { ...run, ...inline.run } } : inline,
    )
    return { ...block, inlines, mark: { ...run, ...block.mark } }
  })
  return { ...content, text: { ...content.text, blocks } }
}
