/**
 * What a formatter is. A family of formatters is one file; each formatter is one exported constant whose doc comment
 * holds its meaning and its examples, one a line:
 *
 *     @example "zoë" {d.v:upperCase} => ZOË
 *     @example {"v":1,"y":"Y"} {d.v:print(.y)} => Y         (an object with a key v is the whole data)
 *     @example 1234.5 {d.v:formatN(1)} => 1 234,5 | lang=fr-fr timezone=UTC currencySource=EUR
 *
 * Tests and the reference page are made from these lines.
 */

/** Markup returned by a formatter, which is written without escaping. */
export class Markup {
  readonly markup: string
  /** The data itself is markup, as `:html` declares, rather than escaped text. */
  readonly verbatim: boolean
  constructor(markup: string, verbatim = false) {
    this.markup = markup
    this.verbatim = verbatim
  }
}

export type ImageFit = 'fillWidth' | 'contain' | 'fill'

/**
 * A picture made by the render itself: a barcode, a chart. `draw` is called at most once for each value that is shown.
 * Its file is a PNG or an SVG; undefined when the value cannot be drawn, which shows a neutral picture.
 */
export class DrawnPicture {
  /** Equal keys are equal pictures. */
  readonly key: string
  readonly draw: () => Uint8Array | undefined
  /** The value as text, where a picture is impossible. */
  readonly text: string
  /** The same picture as a PNG, for places that want one: `draw` may make an SVG. */
  readonly raster: (() => Uint8Array | undefined) | undefined
  constructor(
    key: string,
    draw: () => Uint8Array | undefined,
    text: string,
    raster?: () => Uint8Array | undefined,
  ) {
    this.key = key
    this.draw = draw
    this.text = text
    this.raster = raster
  }
}

/**
 * The source of a picture with the way it fills its placeholder. Prints as its source where a picture is impossible.
 */
export class PictureValue {
  /** An address, a data URI or a picture that is drawn already. */
  readonly source: unknown
  readonly fit: ImageFit
  /** Whether the EXIF orientation of a photo is applied. */
  readonly appliesOrientation: boolean
  constructor(source: unknown, fit: ImageFit = 'fillWidth', appliesOrientation = false) {
    this.source = source
    this.fit = fit
    this.appliesOrientation = appliesOrientation
  }
}

/** The address of a link, and the one that replaces it if it is not usable. Printed as text outside of links. */
export class LinkValue {
  readonly address: unknown
  readonly fallback: string
  constructor(address: unknown, fallback: string) {
    this.address = address
    this.fallback = fallback
  }
}

/** A text in HTML that becomes content of the document. Prints as its text where only text is possible. */
export class HtmlValue {
  readonly html: string
  readonly options: readonly string[]
  /** Replaces unusable links in the content. */
  readonly fallback: string | undefined
  readonly text: () => string
  constructor(html: string, options: readonly string[], fallback: string | undefined, text: () => string) {
    this.html = html
    this.options = options
    this.fallback = fallback
    this.text = text
  }
}

/** A colour for the element around a tag; see `media/colors.ts`. Prints nothing. */
export class ColorValue {
  readonly hex: string // six upper-case digits
  constructor(hex: string) {
    this.hex = hex
  }
}

/** The distance by which the shape around a tag is moved. Prints nothing. */
export class ShiftValue {
  readonly axis: 'x' | 'y'
  readonly inches: number
  constructor(axis: 'x' | 'y', inches: number) {
    this.axis = axis
    this.inches = inches
  }
}

/** An attribute for SVG shapes. Prints nothing. */
export class SvgUpdate {
  readonly attribute: string
  readonly value: string
  readonly selector: string // an id
  readonly type: string
  constructor(attribute: string, value: string, selector: string, type: string) {
    this.attribute = attribute
    this.value = value
    this.selector = selector
    this.type = type
  }
}

/** A point in time that a date formatter returns; prints as ISO 8601 UTC when nothing formats it. */
export class DateValue {
  readonly epochMs: number
  readonly dateOnly: boolean
  constructor(epochMs: number, dateOnly = false) {
    this.epochMs = epochMs
    this.dateOnly = dateOnly
  }
}

/** The hidden state of one tag's conditions; see the reference 12.1 to 12.3. Made anew for each evaluation. */
export interface ConditionState {
  result: boolean | undefined // undefined: no test ran yet
  operator: 'or' | 'and'
  decided: boolean // show/elseShow fired: later conditional formatters are skipped
  stopped: boolean // a legacy condition fired: everything later is skipped
}

/**
 * The parts of a render that formatters may read. One object serves the entire render, and formatters never change it.
 */
export interface RenderContext {
  readonly lang: string // lower case, '-' as separator
  readonly timezone: string // IANA name, checked
  readonly now: number // ms since the epoch
  readonly translations: Readonly<Record<string, Readonly<Record<string, string>>>>
  readonly enums: Readonly<Record<string, unknown>>
  readonly currencySource: string | undefined
  readonly currencyTarget: string | undefined
  readonly currencyRates: Readonly<Record<string, number>>
  readonly highPrecision: boolean
  /** The markup of a native line break in this format ('<w:br/>' inside a closed and reopened w:t ...). */
  readonly lineBreak: string | undefined
  readonly formatId: string
  /** How this format escapes text between tags; XML rules when left out. Formatters that make Markup use it. */
  readonly escape?: (text: string) => string
  /** Cache of one family for objects that are expensive to create (Intl objects), for this render's lang and zone. */
  readonly memo: Map<string, unknown>
}

/** Whether a template of this format contains HTML unchanged. */
export const isMarkup = (formatId: string): boolean =>
  formatId === 'html' || formatId === 'xhtml' || formatId === 'md'

/** The state that the formatters of a tag share during one evaluation. */
export interface TagState {
  readonly render: RenderContext
  readonly condition: ConditionState
  /** Set by convCurr, read by a later formatC of the same tag. */
  currency?: string
}

export type ParameterType = 'text' | 'number' | 'integer' | 'boolean' | 'any' | 'expression'

export interface Parameter {
  readonly name: string
  readonly type: ParameterType
  readonly optional?: boolean
  readonly rest?: boolean // takes all remaining arguments
  readonly description: string
  /** The accepted words, in any letter case. Any other word in a template is reported. */
  readonly words?: readonly string[]
  /** Names that a word may begin with, before a colon and a value: `scale:2`. */
  readonly keys?: readonly string[]
}

/**
 * value      returns the new value
 * test       returns the value unchanged and sets `state.condition`; skipped once decided
 * condition  and, or, show, elseShow: read and set `state.condition`
 * aggregate  takes all items of an array; the emitter runs it (see emit/value.ts), and `run` is not called
 * structure  showBegin, drop, set, ...: handled by the bind and emit passes, and `run` is not called
 */
export type FormatterKind = 'value' | 'test' | 'condition' | 'aggregate' | 'structure'

export interface Formatter {
  readonly name: string
  readonly kind: FormatterKind
  readonly parameters: readonly Parameter[]
  /**
   * Loads data that is too large to be loaded with every render. Awaited before a template that uses the formatter is
   * rendered.
   */
  readonly load?: () => Promise<void>
  /**
   * args  one value for each argument written: constants are text, dynamic paths are resolved values
   *       (a path that does not exist gives ''). An 'expression' with operators arrives as a number, or with high
   *       precision as decimal text where a number could not hold it.
   */
  readonly run: (value: unknown, args: readonly unknown[], state: TagState) => unknown
}
