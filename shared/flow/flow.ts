/**
 * The flow model: text without a layout, which Markdown, web pages and the text of a PDF have in common.
 * `from-hast.ts` and `from-document.ts` produce it; the `write-*.ts` files write it as OpenDocument, HTML,
 * Markdown, plain text, DocBook and sheets. Plain data; lengths are in points.
 */
export interface Flow {
  readonly title?: string
  readonly language?: string // BCP 47
  readonly page?: FlowPage
  readonly blocks: readonly FlowBlock[]
  /** Pictures by the name that inlines refer to: PNG, JPEG, GIF, WebP or SVG as they are stored. */
  readonly pictures: ReadonlyMap<string, FlowPicture>
}

export interface FlowPage {
  readonly width: number
  readonly height: number
  readonly margin: {
    readonly top: number
    readonly right: number
    readonly bottom: number
    readonly left: number
  }
}

export interface FlowPicture {
  readonly bytes: Uint8Array
  readonly mime: string
}

export type FlowAlign = 'left' | 'center' | 'right' | 'justify'

export type FlowBlock =
  | {
      readonly kind: 'heading'
      readonly level: number
      readonly inlines: readonly FlowInline[]
      readonly align?: FlowAlign
      readonly anchors?: readonly string[] // targets of internal links, without '#'
      readonly direction?: 'rtl'
    }
  | {
      readonly kind: 'paragraph'
      readonly inlines: readonly FlowInline[]
      readonly anchors?: readonly string[]
      readonly align?: FlowAlign
      readonly indent?: number
      readonly spaceBefore?: number
      readonly direction?: 'rtl'
    }
  | {
      readonly kind: 'list'
      readonly ordered: boolean
      readonly start: number
      readonly items: readonly FlowItem[]
    }
  | {
      readonly kind: 'table'
      readonly rows: readonly FlowRow[]
      readonly headerRows: number
      readonly widths?: readonly number[]
      /** The first column is on the right. */
      readonly direction?: 'rtl'
    }
  | { readonly kind: 'code'; readonly text: string; readonly language?: string }
  | { readonly kind: 'quote'; readonly blocks: readonly FlowBlock[] }
  | { readonly kind: 'rule' }
  | { readonly kind: 'page-break' }

export type FlowTable = Extract<FlowBlock, { kind: 'table' }>

export interface FlowItem {
  readonly blocks: readonly FlowBlock[]
  readonly checked?: boolean // state of a task list item
}

export interface FlowRow {
  readonly cells: readonly FlowCell[]
}

export interface FlowCell {
  readonly blocks: readonly FlowBlock[]
  readonly columns: number // number of columns it spans
  readonly rows: number
  readonly header?: boolean
}

export type FlowInline =
  | {
      readonly kind: 'text'
      readonly text: string
      readonly style: FlowStyle
      readonly link?: string
      /** The text is an equation, which formats with a notation for equations write as LaTeX. */
      readonly equation?: FlowEquation
    }
  | { readonly kind: 'break' }
  | {
      readonly kind: 'picture'
      readonly picture: string
      readonly text: string
      readonly width?: number
      readonly height?: number
    }
  | { readonly kind: 'note'; readonly blocks: readonly FlowBlock[] }

export interface FlowEquation {
  readonly latex: string // on one line, without dollar signs
  readonly display: boolean // on a line of its own
}

export interface FlowStyle {
  readonly bold?: boolean
  readonly italic?: boolean
  readonly underline?: boolean
  readonly strike?: boolean
  readonly code?: boolean
  readonly script?: 'super' | 'sub'
  readonly size?: number
  readonly color?: string // 'rrggbb'
  readonly font?: string
}

/** Returns the text without formatting. */
export function plainText(inlines: readonly FlowInline[]): string {
  return inlines
    .map((inline) => (inline.kind === 'text' ? inline.text : inline.kind === 'break' ? '\n' : ''))
    .join('')
}
