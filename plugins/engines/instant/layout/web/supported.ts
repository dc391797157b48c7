/**
 * The table of the properties and values that are drawn as browsers draw them. Everything outside of it is reported, so that
 * no property is passed over in silence. Source: the property tables of the CSS modules; the list of properties without an
 * effect on paper was made from those of Chromium.
 */
import { calculate, isMath } from '../../../../../shared/css/calc.ts'
import { isColor } from '../../../../../shared/css/color.ts'
import { partsOf } from '../../../../../shared/css/declarations.ts'

/**
 * The values that are drawn, by the name of the longhand property. A value is drawn if each of its words is in the list:
 * `<length>` stands for lengths, percentages and formulas, `<fixed>` for those without percentages, `<number>`, `<colour>` and `<string>` for what they say,
 * and `<any>` for all values, which are then judged where they are drawn (`undrawn.ts`).
 */
const drawn: Readonly<Record<string, string>> = {
  // The name of a declaration that is too long to be read, all of which are reported.
  '-too-long': '',
  // Backgrounds with words that are not read.
  background: '',
  display:
    'none block inline inline-block list-item flow-root contents flex inline-flex grid inline-grid table inline-table table-row table-cell table-caption table-column table-column-group table-row-group table-header-group table-footer-group',
  position: 'static relative absolute fixed sticky',
  float: 'none left right inline-start inline-end',
  clear: 'none left right both inline-start inline-end',
  visibility: 'visible hidden collapse',
  overflow: 'visible hidden auto scroll clip',
  'box-sizing': 'content-box border-box',
  width: 'auto <length> min-content max-content fit-content',
  height: 'auto <fixed> min-content max-content fit-content',
  'min-width': 'auto <length>',
  'min-height': 'auto <fixed>',
  'max-width': 'none <length>',
  'max-height': 'none <fixed>',
  'aspect-ratio': '<any>',
  opacity: '<any>',
  'z-index': '<any>',
  transform: '<any>',
  'transform-origin': '<any>',
  rotate: '<any>',
  scale: '<any>',
  translate: '<any>',
  zoom: '1 100% normal',
  color: '<colour>',
  'background-color': '<colour>',
  'background-image': '<any>',
  'background-position': '<length> left right top bottom center',
  'background-size': 'auto cover contain <length>',
  'background-repeat': '<any>',
  'background-attachment': 'scroll local',
  'background-clip': 'border-box',
  'background-origin': 'padding-box',
  'border-collapse': 'collapse separate',
  'border-spacing': '<length>',
  'border-image': 'none',
  'border-image-source': 'none',
  'box-shadow': '<any>',
  'box-decoration-break': 'slice',
  'outline-width': 'thin medium thick <length>',
  'outline-style': '<any>',
  'outline-color': '<colour>',
  'outline-offset': '<length>',
  'font-family': '<any>',
  'font-size': '<length> xx-small x-small small medium large x-large xx-large xxx-large smaller larger',
  'font-style': 'normal italic oblique',
  'font-weight': 'normal bold bolder lighter <number>',
  'font-variant': 'normal small-caps all-small-caps none',
  'font-variant-caps': 'normal small-caps all-small-caps',
  'font-variant-ligatures': 'normal common-ligatures',
  'font-variant-numeric': 'normal lining-nums tabular-nums',
  'font-stretch': 'normal 100%',
  'font-kerning': 'auto normal',
  'font-feature-settings': 'normal',
  'font-variation-settings': 'normal',
  'line-height': 'normal <length>',
  'letter-spacing': 'normal <length>',
  'word-spacing': 'normal <length>',
  'text-align': 'left right center justify start end -webkit-center -webkit-left -webkit-right -webkit-auto',
  'text-align-last': 'auto start end left right center',
  'text-indent': '<length>',
  'text-transform': 'none uppercase lowercase capitalize',
  'text-decoration': 'none underline line-through overline solid auto from-font <colour>',
  'text-decoration-color': '<colour>',
  'text-decoration-style': 'solid',
  'text-decoration-thickness': 'auto from-font',
  'text-underline-offset': 'auto',
  'text-underline-position': 'auto from-font',
  'text-overflow': 'clip ellipsis',
  'text-shadow': 'none',
  'text-wrap': 'wrap stable pretty',
  'text-wrap-mode': 'wrap',
  'text-wrap-style': 'auto stable pretty',
  'text-emphasis': 'none',
  'text-emphasis-style': 'none',
  'white-space': 'normal nowrap pre pre-wrap pre-line break-spaces',
  'word-break': 'normal break-all break-word',
  'word-wrap': 'normal break-word anywhere',
  'overflow-wrap': 'normal break-word anywhere',
  'line-break': 'auto normal',
  hyphens: 'manual none',
  'tab-size': '<number>',
  'vertical-align': 'baseline sub super top middle bottom text-top text-bottom <fixed>',
  direction: 'ltr rtl',
  'unicode-bidi': 'normal embed isolate plaintext',
  'writing-mode': 'horizontal-tb lr lr-tb',
  quotes: 'auto',
  content: '<any>',
  'counter-reset': '<any>',
  'counter-increment': '<any>',
  'counter-set': '<any>',
  'list-style-type':
    'none disc circle square decimal decimal-leading-zero lower-alpha upper-alpha lower-latin upper-latin lower-roman upper-roman disclosure-open disclosure-closed <string>',
  'list-style-position': 'inside outside',
  'list-style-image': 'none',
  'table-layout': 'auto fixed',
  'caption-side': 'top bottom',
  'empty-cells': 'show',
  'flex-direction': 'row row-reverse column column-reverse',
  'flex-wrap': 'nowrap wrap wrap-reverse',
  'flex-grow': '<number>',
  'flex-shrink': '<number>',
  'flex-basis': 'auto <length>',
  order: '<number>',
  'align-items': [
    'normal',
    'stretch',
    'start',
    'end',
    'center',
    'flex-start',
    'flex-end',
    'baseline',
    'self-start',
    'self-end',
  ].join(' '),
  'align-self': [
    'auto',
    'normal',
    'stretch',
    'start',
    'end',
    'center',
    'flex-start',
    'flex-end',
    'baseline',
    'self-start',
    'self-end',
  ].join(' '),
  'align-content': '<any>',
  'justify-content': [
    'normal',
    'stretch',
    'start',
    'end',
    'center',
    'left',
    'right',
    'flex-start',
    'flex-end',
    'space-between',
    'space-around',
    'space-evenly',
  ].join(' '),
  'justify-items': [
    'normal',
    'stretch',
    'start',
    'end',
    'center',
    'left',
    'right',
    'legacy',
    'self-start',
    'self-end',
  ].join(' '),
  'justify-self': [
    'auto',
    'normal',
    'stretch',
    'start',
    'end',
    'center',
    'left',
    'right',
    'self-start',
    'self-end',
  ].join(' '),
  'row-gap': 'normal <length>',
  'column-gap': 'normal <length>',
  'grid-template-columns': '<any>',
  'grid-template-rows': '<any>',
  'grid-template-areas': '<any>',
  'grid-auto-columns': '<any>',
  'grid-auto-rows': '<any>',
  'grid-auto-flow': 'row column dense',
  'grid-area': '<any>',
  'grid-row': '<any>',
  'grid-column': '<any>',
  'grid-row-start': '<any>',
  'grid-row-end': '<any>',
  'grid-column-start': '<any>',
  'grid-column-end': '<any>',
  'column-count': 'auto <number>',
  'column-width': 'auto <length>',
  'column-span': 'none all',
  'column-fill': 'balance auto',
  'column-rule-width': 'thin medium thick <length>',
  'column-rule-style': 'none hidden solid dashed dotted double',
  'column-rule-color': '<colour>',
  'break-before': 'auto avoid page left right recto verso column always all avoid-page avoid-column',
  'break-after': 'auto avoid page left right recto verso column always all avoid-page avoid-column',
  'break-inside': 'auto avoid avoid-page avoid-column',
  orphans: '<number>',
  widows: '<number>',
  page: '<any>',
  size: '<any>',
  'object-fit': 'fill contain cover none scale-down',
  'object-position': '<length> left right top bottom center',
  appearance: '<any>',
  clip: 'auto',
  'clip-path': 'none',
  mask: 'none',
  'mask-image': 'none',
  filter: 'none',
  'backdrop-filter': 'none',
  'mix-blend-mode': 'normal',
  'background-blend-mode': 'normal',
  'shape-outside': 'none',
  'initial-letter': 'normal',
  'content-visibility': 'visible auto',
  contain: 'none layout style paint content inline-size',
  'line-clamp': 'none',
  '-webkit-line-clamp': 'none',
  '-webkit-text-stroke': '0 0px',
  '-webkit-text-stroke-width': '0 0px',
  '-webkit-text-fill-color': 'currentcolor',
}

/** The properties of each side and each corner of a box. */
const drawnOfSides: readonly (readonly [name: string, values: string])[] = [
  ...['top', 'right', 'bottom', 'left'].flatMap((side) => [
    [side, 'auto <length>'] as const,
    [`margin-${side}`, 'auto <length>'] as const,
    [`padding-${side}`, '<length>'] as const,
    [`border-${side}-width`, 'thin medium thick <length>'] as const,
    [`border-${side}-style`, 'none hidden solid dashed dotted double'] as const,
    [`border-${side}-color`, '<colour>'] as const,
  ]),
  ...['top-left', 'top-right', 'bottom-right', 'bottom-left'].map(
    (corner) => [`border-${corner}-radius`, '<length>'] as const,
  ),
]

/** Properties that change nothing on paper: they are about the pointer, the screen, motion, speed and other programs. */
const withoutEffect = new Set(
  (
    'cursor pointer-events user-select user-modify user-drag resize touch-action caret caret-color caret-shape accent-color ' +
    'will-change transition transition-property transition-duration transition-timing-function transition-delay transition-behavior ' +
    'scroll-behavior scroll-snap-type scroll-snap-align scroll-snap-stop scrollbar-width scrollbar-color scrollbar-gutter ' +
    'overscroll-behavior overscroll-behavior-x overscroll-behavior-y overflow-anchor overflow-scrolling -webkit-overflow-scrolling ' +
    'backface-visibility perspective perspective-origin transform-style transform-box isolation ' +
    'text-rendering font-smoothing -webkit-font-smoothing font-smooth font-display font-synthesis font-optical-sizing font-palette ' +
    'text-size-adjust -webkit-tap-highlight-color -webkit-touch-callout -webkit-locale color-scheme forced-color-adjust ' +
    'print-color-adjust -webkit-print-color-adjust color-adjust image-rendering image-orientation dominant-baseline ' +
    'text-decoration-skip text-decoration-skip-ink text-justify hanging-punctuation hyphenate-character hyphenate-limit-chars ' +
    'container container-name container-type ' +
    'contain-intrinsic-size contain-intrinsic-width contain-intrinsic-height anchor-name view-transition-name ' +
    'timeline-scope animation-timeline animation-range view-timeline scroll-timeline interpolate-size ' +
    'animation-duration animation-timing-function animation-delay animation-iteration-count animation-direction animation-fill-mode ' +
    'animation-play-state ruby-align border-image-slice border-image-width border-image-outset border-image-repeat ' +
    'mask-size mask-position mask-repeat mask-mode mask-clip mask-origin mask-composite mask-type shape-margin ' +
    'shape-image-threshold text-emphasis-color text-emphasis-position src unicode-range nav-index ime-mode ' +
    // Properties of flex layout of an early draft, which boxes with the display of the standard ignore.
    '-webkit-box-align -webkit-box-direction -webkit-box-flex -webkit-box-lines -webkit-box-ordinal-group -webkit-box-orient -webkit-box-pack ' +
    '-webkit-box-flex-group -webkit-margin-collapse ' +
    // Properties of drawings, whose elements are read elsewhere. On other elements they have no effect.
    'fill fill-opacity fill-rule stroke stroke-width stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin stroke-miterlimit ' +
    'stroke-opacity stop-color stop-opacity text-anchor shape-rendering vector-effect clip-rule color-interpolation flood-color paint-order ' +
    // Properties that other printers have and browsers do not.
    'bleed marks string-set bookmark-level bookmark-label bookmark-state footnote-display footnote-policy float-reference ' +
    'page-orientation speak speak-as voice-family volume pitch azimuth elevation behavior layout-grid tab-stops ' +
    // Properties of scrolling, timelines and drawings that came later.
    '-webkit-app-region -webkit-hyphenate-character -webkit-mask-box-image-outset -webkit-mask-box-image-repeat ' +
    '-webkit-mask-box-image-slice -webkit-mask-box-image-width -webkit-mask-clip -webkit-mask-composite -webkit-mask-origin ' +
    '-webkit-mask-position -webkit-mask-position-x -webkit-mask-position-y -webkit-mask-repeat -webkit-mask-size ' +
    '-webkit-rtl-ordering -webkit-shape-image-threshold -webkit-shape-margin -webkit-text-decorations-in-effect ' +
    '-webkit-text-stroke-color alignment-baseline anchor-scope animation-composition animation-range-end ' +
    'animation-range-start animation-trigger app-region baseline-shift buffered-rendering caret-animation ' +
    'color-interpolation-filters color-rendering column-rule-inset column-rule-inset-cap column-rule-inset-cap-end ' +
    'column-rule-inset-cap-start column-rule-inset-end column-rule-inset-junction column-rule-inset-junction-end ' +
    'column-rule-inset-junction-start column-rule-inset-start contain-intrinsic-block-size contain-intrinsic-inline-size cx ' +
    'cy d dynamic-range-limit flex-line-count flood-opacity font-synthesis-small-caps font-synthesis-style ' +
    'font-synthesis-weight interactivity interest-delay interest-delay-end interest-delay-start lighting-color marker ' +
    'marker-end marker-mid marker-start math-depth math-shift math-style offset-anchor offset-distance offset-position ' +
    'offset-rotate overflow-clip-margin overlay overscroll-behavior-block overscroll-behavior-inline page-margin-safety ' +
    'perspective-origin-x perspective-origin-y position-try-order r reading-flow reading-order row-rule-inset ' +
    'row-rule-inset-cap row-rule-inset-cap-end row-rule-inset-cap-start row-rule-inset-end row-rule-inset-junction ' +
    'row-rule-inset-junction-end row-rule-inset-junction-start row-rule-inset-start ruby-overhang rule-inset rule-inset-cap ' +
    'rule-inset-end rule-inset-junction rule-inset-start rx ry scroll-axis-lock scroll-initial-target scroll-margin ' +
    'scroll-margin-block scroll-margin-bottom scroll-margin-inline scroll-margin-left scroll-margin-right scroll-margin-top ' +
    'scroll-marker-group scroll-padding scroll-padding-block scroll-padding-bottom scroll-padding-inline ' +
    'scroll-padding-left scroll-padding-right scroll-padding-top scroll-target-group scroll-timeline-axis ' +
    'scroll-timeline-name timeline-trigger timeline-trigger-activation-range timeline-trigger-activation-range-end ' +
    'timeline-trigger-activation-range-start timeline-trigger-active-range timeline-trigger-active-range-end ' +
    'timeline-trigger-active-range-start timeline-trigger-name timeline-trigger-source trigger-scope view-timeline-axis ' +
    'view-timeline-inset view-timeline-name view-transition-class view-transition-group view-transition-scope window-drag x ' +
    'y'
  ).split(' '),
)

/** The other properties that browsers know. Those that they do not know have no effect in any engine. */
const undrawn = new Set(
  (
    '-webkit-box-reflect -webkit-line-break -webkit-logical-height -webkit-logical-width -webkit-mask-box-image ' +
    '-webkit-mask-box-image-source -webkit-max-logical-height -webkit-max-logical-width -webkit-min-logical-height ' +
    '-webkit-min-logical-width -webkit-ruby-position -webkit-text-combine -webkit-text-orientation -webkit-text-security ' +
    'all animation animation-name background-position-x background-position-y baseline-source border-after ' +
    'border-after-color border-after-style border-after-width border-before border-before-color border-before-style ' +
    'border-before-width border-end border-end-color border-end-style border-end-width border-horizontal-spacing ' +
    'border-shape border-start border-start-color border-start-style border-start-width border-vertical-spacing ' +
    'column-height column-rule-break column-rule-visibility-items column-wrap corner-bottom-left-shape ' +
    'corner-bottom-right-shape corner-bottom-shape corner-end-end-shape corner-end-start-shape corner-left-shape ' +
    'corner-right-shape corner-shape corner-start-end-shape corner-start-start-shape corner-top-left-shape ' +
    'corner-top-right-shape corner-top-shape field-sizing font-language-override font-size-adjust font-variant-alternates ' +
    'font-variant-east-asian font-variant-emoji font-variant-position frame-sizing margin-trim object-view-box offset ' +
    'offset-path position-anchor position-area position-try position-try-fallbacks position-visibility row-rule ' +
    'row-rule-break row-rule-color row-rule-style row-rule-visibility-items row-rule-width ruby-position rule rule-break ' +
    'rule-color rule-overlap rule-style rule-visibility-items rule-width text-autospace text-box text-box-edge ' +
    'text-box-trim text-combine-upright text-fit text-orientation text-spacing-trim transform-origin-x transform-origin-y ' +
    'transform-origin-z white-space-collapse'
  ).split(' '),
)

const words: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  [...Object.entries(drawn), ...drawnOfSides].map(
    ([name, values]) => [name, new Set(values.split(' '))] as const,
  ),
)
/** Words that set a property back, or take it from the parent. */
const isWide = (value: string): boolean => value === 'inherit' || value === 'initial' || value === 'unset'
/** Units other than those of the letters of a font, which are not known when styles are computed. */
const unitsOfLength = /^(?:px|pt|pc|in|cm|mm|q|r?em|[sld]?v(?:w|h|i|b|min|max)|%|)$/
const isFormula = (word: string, units: RegExp): boolean =>
  isMath(word) && calculate(word, (number, unit) => (units.test(unit) ? number : undefined)) !== undefined
const isLength = (word: string): boolean =>
  /^(?:[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?(?:px|pt|pc|in|cm|mm|q|r?em|[sld]?v(?:w|h|i|b|min|max)|%)?)$/.test(
    word,
  ) || isFormula(word, unitsOfLength)
const isNumber = (word: string): boolean => /^[+-]?(?:\d+\.?\d*|\.\d+)$/.test(word) || isFormula(word, /^$/)
const systemColours = /^(?:windowtext|canvastext|buttontext|infotext|window|canvas|buttonface|linktext)$/

const [maxJudged, maxJudgedLength] = [5000, 60]

/** `isDrawn` for one page, which has the same values again and again. */
export function createJudge(): typeof isDrawn {
  const judged = new Map<string, boolean>()
  return (name, value) => {
    if (value.length > maxJudgedLength) return isDrawn(name, value)
    const key = `${name}:${value}`
    let result = judged.get(key)
    if (result === undefined) {
      result = isDrawn(name, value)
      if (judged.size < maxJudged) judged.set(key, result)
    }
    return result
  }
}

/** Whether a value of a longhand property is drawn as in browsers, or changes nothing on paper. */
export function isDrawn(name: string, value: string): boolean {
  const lower = value.toLowerCase()
  if (isWide(lower)) return name !== 'all'
  const values = words.get(name)
  if (values === undefined) return !undrawn.has(name) || /^(?:none|normal|auto)$/.test(lower)
  if (values.has('<any>')) return true
  return partsOf(lower).every(
    (word) =>
      values.has(word) ||
      (values.has('<length>') && isLength(word)) ||
      (values.has('<fixed>') && isLength(word) && (!word.includes('%') || /^0?%?$/.test(word))) ||
      (values.has('<number>') && isNumber(word)) ||
      (values.has('<colour>') && (isColor(word) || systemColours.test(word))) ||
      (values.has('<string>') && /^["']/.test(word)),
  )
}

/** How a longhand property is treated; undefined for one that is in no list. */
export function treatmentOf(name: string): 'drawn' | 'without effect' | 'undrawn' | undefined {
  if (words.has(name)) return 'drawn'
  return withoutEffect.has(name) ? 'without effect' : undrawn.has(name) ? 'undrawn' : undefined
}
