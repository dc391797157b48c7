/// <reference path="./echarts.d.ts" />
/**
 * Charts from data as vector pictures. The library (Apache ECharts) draws them without a browser; it is large and loaded
 * only when a template shows a chart. Source: template language 22.3.
 */
import type { ChartRequest } from './chart-option.ts'
import { chartLanguage, chartWords } from './chart-words.ts'
import { isSoundXml } from './sound-svg.ts'
import { textWidth } from './text-width.ts'

type Library = typeof import('echarts/core')
let library: Library | undefined

/** Before the first `drawChart`. */
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

/** A face that every office has, or has a twin of the same widths for. */
const font = 'Arial, Liberation Sans, Helvetica, sans-serif'
const bytesAtMost = 8_000_000
const known = new Set<string>()

/** An SVG, or undefined when the library cannot make sense of the option. */
export function drawChart(
  { width, height, theme, option }: ChartRequest,
  lang: string,
): Uint8Array | undefined {
  if (library === undefined) return undefined
  const language = chartLanguage(lang)
  if (!known.has(language)) {
    library.registerLocale(language, chartWords(language))
    known.add(language)
  }
  let svg: string
  const chart = library.init(null, theme, { renderer: 'svg', ssr: true, width, height, locale: language })
  try {
    const { textStyle } = option
    const text = typeof textStyle === 'object' && textStyle !== null ? textStyle : {}
    chart.setOption({ ...option, textStyle: { fontFamily: font, ...text }, animation: false })
    svg = chart.renderToSVGString()
  } catch {
    // Options that contradict themselves: whatever the library throws means that there is no picture.
    return undefined
  } finally {
    chart.dispose()
  }
  if (svg.length > bytesAtMost) return undefined
  const still = portable(svg)
  return isSound(still) ? new TextEncoder().encode(still) : undefined
}

/** Office programs place text by its base line only, and know no scripts, links or style sheets. */
function portable(svg: string): string {
  return (
    svg
      // Charts are counted by the library: the same chart is to be the same file.
      .replace(/(\bid="|\burl\(#|href="#)zr\d+-/g, '$1zr-')
      .replace(/<style\b[^<>]*>.*?<\/style>/gs, '')
      .replace(/<(script|foreignObject)\b.*?<\/\1>/gs, '')
      .replace(/<image\b[^<>]*(?:\/>|>.*?<\/image>)/gs, '')
      .replace(/<\/?a\b[^<>]*>/g, '')
      .replace(/\s(?:on\w+|class|ecmeta_\w+|ecelement_\w+)="[^"]*"/g, '')
      .replace(/(<text\b[^<>]*>)([^<>]*<\/text>)/g, (_, open: string, rest: string) => plainText(open, rest))
  )
}

/** A line around the letters is drawn first, by an element of its own; the face is named by single properties. */
function plainText(open: string, rest: string): string {
  const placed = onBaseLine(open).replace(
    /\sstyle="font: ?(\S+) (\S+) ([\d.]+px) ([^"]*)"/,
    (_, style, weight, size, face) => {
      const own = (name: string, value: string) => (value === 'normal' ? '' : `font-${name}:${value};`)
      return ` style="font-size:${size};font-family:${face};${own('style', style)}${own('weight', weight)}"`
    },
  )
  if (!placed.includes(' paint-order="stroke"')) return placed + rest
  const letters = placed.replace(' paint-order="stroke"', '')
  // Its own colour inside too: where a line around letters is not drawn, the letters would stand there twice.
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
  const found = /\sdominant-baseline="([^"]*)"/.exec(element)
  if (found === null) return element
  const size = Number(/font-size:\s*(\d+(?:\.\d+)?)/.exec(element)?.[1] ?? 12)
  const drop = (drops[found[1]!] ?? 0) * size
  const rest = element.replace(found[0], '')
  if (drop === 0) return rest
  const y = /\sy="(-?[\d.]+)"/.exec(rest)
  const moved = String(Number((Number(y?.[1] ?? 0) + drop).toFixed(2)))
  return y === null ? rest.replace('<text', `<text y="${moved}"`) : rest.replace(y[0], ` y="${moved}"`)
}

/** Values of the option stand in attributes: what breaks out of one is no picture. */
function isSound(svg: string): boolean {
  if (!isSoundXml(svg)) return false
  return [...svg.matchAll(/<[a-z]\w*((?:\s+[\w:-]+="[^"]*")*)\s*\/?>/gi)].every(([, attributes = '']) => {
    const names = [...attributes.matchAll(/\s([\w:-]+)="/g)].map(([, name]) => name)
    return new Set(names).size === names.length
  })
}
