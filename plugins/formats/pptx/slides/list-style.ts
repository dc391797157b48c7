import type { Alignment, RunProperties, TabStop } from '../../../../shared/document/properties.ts'

/** A distance in points, or as a fraction of the text size. */
export type Spacing = { readonly points: number } | { readonly share: number }

/** The bullet of a paragraph (EG_TextBullet, 21.1.2.4). */
export type Bullet =
  | { readonly kind: 'none' }
  | { readonly kind: 'character'; readonly text: string }
  | { readonly kind: 'number'; readonly scheme: string; readonly start: number }
  | { readonly kind: 'picture'; readonly media: string }

/** Paragraph properties that one level of the cascade specifies; absent ones are inherited. Lengths are in points. */
export interface ParagraphStyle {
  readonly align?: Alignment
  readonly start?: number
  readonly end?: number
  readonly first?: number
  readonly before?: Spacing
  readonly after?: Spacing
  readonly line?: Spacing
  readonly rightToLeft?: boolean
  readonly tabs?: readonly TabStop[]
  readonly defaultTab?: number
  readonly bullet?: Bullet
  /** 'text': the colour of the text after the label. */
  readonly bulletColor?: string
  readonly bulletSize?: Spacing | 'text'
  readonly bulletFont?: string
  readonly run?: RunProperties
}

/** Formatting by level, from 0; level -1 applies to all levels. */
export type ListStyle = ReadonlyMap<number, ParagraphStyle>
