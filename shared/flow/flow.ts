/**
 * Text as it flows, without a layout: what Markdown, web pages and the text of a PDF have in common. Sources are turned
 * into this (`from-hast.ts`, `from-document.ts`), and it is written as OpenDocument (`write-odf.ts`) and as HTML
 * (`write-html.ts`), Markdown, plain text and DocBook. Plain data; lengths are in points.
 */
export interface Flow {
  readonly title?: string
  readonly language?: string // BCP 47
  readonly page?: FlowPage
  readonly blocks: readonly FlowBlock[]
  /** Pictures by the name that inlines use: PNG, JPEG, GIF, WEBP or SVG as they are stored. */
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
      readonly anchors?: readonly string[] // names that links inside the document lead to, without '#'
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
      /** Its first column stands at the right. */
      readonly direction?: 'rtl'
    }
  | { readonly kind: 'code'; readonly text: string; readonly language?: string }
  | { readonly kind: 'quote'; readonly blocks: readonly FlowBlock[] }
  | { readonly kind: 'rule' }
  | { readonly kind: 'page-break' }

export interface FlowItem {
  readonly blocks: readonly FlowBlock[]
  readonly checked?: boolean // of a task list
}

export interface FlowRow {
  readonly cells: readonly FlowCell[]
}

export interface FlowCell {
  readonly blocks: readonly FlowBlock[]
  readonly columns: number // it spans
  readonly rows: number
  readonly header?: boolean
}

export type FlowInline =
  | { readonly kind: 'text'; readonly text: string; readonly style: FlowStyle; readonly link?: string }
  | { readonly kind: 'break' }
  | {
      readonly kind: 'picture'
      readonly picture: string
      readonly text: string
      readonly width?: number
      readonly height?: number
    }
  | { readonly kind: 'note'; readonly blocks: readonly FlowBlock[] }

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

/** The text alone, for titles and tests. */
export function plainText(inlines: readonly FlowInline[]): string {
  return inlines.map((one) => (one.kind === 'text' ? one.text : one.kind === 'break' ? '\n' : '')).join('')
}
