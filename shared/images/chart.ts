/// <reference path="./echarts.d.ts" />
/**
 * Charts from data as vector pictures. The library (Apache ECharts) draws them without a browser; it is large and
 * loaded only when a template contains a chart. Source: template language 22.3.
 */
import { entryOf } from '../entry-of.ts'
import type { ChartRequest } from './chart-option.ts'
import { chartLanguage, chartTexts } from './chart-words.ts'
import { isSoundXml } from './sound-svg.ts'
import { textWidth } from './text-width.ts'

type Library = typeof import('echarts/core')
let library: Library | undefined

/** Loads the library. Must be awaited before the first `drawChart`. */
export async function loadCharts(): Promise<void> {
  if (library !== undefined) return
  const { charts: core } = await import('./chart-library.ts')
  core.setPlatformAPI({
    measureText: (text, font) => {
      const { size, bold } = readFont(font)
      return { width: textWidth(text, size, bold) }
    },
  })
  library = core
}
export const chartsAreLoaded = (): boolean => library !== undefined

function readFont(font: string | undefined): { size: number; bold: boolean } {
  const size = Number(/(\d+(?:\.\d+)?)px/.exec(font ?? '')?.[1] ?? 12)
  return { size, bold: /\b(?:bold|bolder|[6-9]00)\b/.test(font ?? '') }
}

/** Every office program has this typeface or a metric-compatible substitute, so the layout is preserved. */
const font = 'Arial, Liberation Sans, Helvetica, sans-serif'
const maxBytes = 8_000_000
const registeredLocales = new Set<string>()

/** Draws a chart as SVG. Returns undefined if the library cannot draw the option. */
export function drawChart(
  { width, height, theme, option }: ChartRequest,
  lang: string,
): Uint8Array | undefined {
  if (library === undefined) return undefined
  const language = chartLanguage(lang)
  if (!registeredLocales.has(language)) {
    library.registerLocale(language, chartTexts(language))
    registeredLocales.add(language)
  }
  let svg: string
  const chart = library.init(null, theme, { renderer: 'svg', ssr: true, width, height, locale: language })
  try {
    const { textStyle } = option
    const text = typeof textStyle === 'object' && textStyle !== null ? textStyle : {}
    chart.setOption({ ...option, textStyle: { fontFamily: font, ...text }, animation: false })
    svg = chart.renderToSVGString()
  } catch {
    // The library throws various errors for contradictory options. Any of them means that there is no picture.
    return undefined
  } finally {
    chart.dispose()
  }
  if (svg.length > maxBytes) return undefined
  const portableSvg = portable(svg)
  return isSound(portableSvg) ? new TextEncoder().encode(portableSvg) : undefined
}

/**
 * Rewrites features that office programs do not support: they position text only by its baseline, and ignore scripts,
 * links and style sheets.
 */
function portable(svg: string): string {
  return (
    svg
      // The library numbers its charts. Without the number, the same chart gives the same bytes.
      .replace(/(\bid="|\burl\(#|href="#)zr\d+-/g, '$1zr-')
      .replace(/<style\b[^<>]*>.*?<\/style>/gs, '')
      .replace(/<(script|foreignObject)\b.*?<\/\1>/gs, '')
      .replace(/<image\b[^<>]*(?:\/>|>.*?<\/image>)/gs, '')
      .replace(/<\/?a\b[^<>]*>/g, '')
      .replace(/\s(?:on\w+|class|ecmeta_\w+|ecelement_\w+)="[^"]*"/g, '')
      .replace(/(<text\b[^<>]*>)([^<>]*<\/text>)/g, (_, open: string, rest: string) =>
        textOfElement(open, rest),
      )
  )
}

/** Draws the outline of text first, as an element of its own, and sets the font with separate properties. */
function textOfElement(open: string, rest: string): string {
  const placed = onBaseLine(open).replace(
    /\sstyle="font: ?(\S+) (\S+) ([\d.]+px) ([^"]*)"/,
    (_, style, weight, size, face) => {
      const declaration = (name: string, value: string) =>
        value === 'normal' ? '' : `font-${name}:${value};`
      return ` style="font-size:${size};font-family:${face};${declaration('style', style)}${declaration('weight', weight)}"`
    },
  )
  if (!placed.includes(' paint-order="stroke"')) return placed + rest
  const letters = placed.replace(' paint-order="stroke"', '')
  // The copy is filled with the colour of the outline: a program that does not draw outlines would otherwise show the
  // text twice.
  const line = /\sstroke="[^"]*"/.exec(letters)?.[0].replace(' stroke=', ' fill=') ?? ''
  const halo = letters.replace(/\sfill="[^"]*"/, line)
  return halo + rest + letters.replace(/\sstroke[\w-]*="[^"]*"/g, '') + rest
}

const drops: Readonly<Record<string, number>> = {
  central: 0.35,
  middle: 0.35,
  'text-before-edge': 0.86,
  hanging: 0.72,
  'text-after-edge': -0.22,
}

function onBaseLine(element: string): string {
  const match = /\sdominant-baseline="([^"]*)"/.exec(element)
  if (match === null) return element
  const size = Number(/font-size:\s*(\d+(?:\.\d+)?)/.exec(element)?.[1] ?? 12)
  const drop = (entryOf(drops, match[1]) ?? 0) * size
  const rest = element.replace(match[0], '')
  if (drop === 0) return rest
  const y = /\sy="(-?[\d.]+)"/.exec(rest)
  const moved = String(Number((Number(y?.[1] ?? 0) + drop).toFixed(2)))
  return y === null ? rest.replace('<text', `<text y="${moved}"`) : rest.replace(y[0], ` y="${moved}"`)
}

/**
 * Values of the option become attributes. Malformed markup or a duplicate attribute means that a value ended its
 * attribute early.
 */
function isSound(svg: string): boolean {
  if (!isSoundXml(svg)) return false
  return [...svg.matchAll(/<[a-z]\w*((?:\s+[\w:-]+="[^"]*")*)\s*\/?>/gi)].every(([, attributes = '']) => {
    const names = [...attributes.matchAll(/\s([\w:-]+)="/g)].map(([, name]) => name)
    return new Set(names).size === names.length
  })
}
