/**
 * Applies the styles of another document to a text written by `writeOdf`; both are flat OpenDocument texts
 * (ODF 1.3 part 3). Styles, page styles with headers and footers, and settings come from the other document;
 * the text, and styles that the other lacks, are kept.
 */

/** Text width that `writeOdf` assumes: its default page without margins, pt. */
const ownWidth = 595.3 - 2 * 56.7

/** `own` is the output of `writeOdf`. Returns undefined when `other` is not a flat OpenDocument text. */
export function inStylesOf(own: string, other: string): string | undefined {
  const [ownStyles, styles] = [section(own, 'office:styles'), section(other, 'office:styles')]
  const masters = section(other, 'office:master-styles')
  const root = /<office:document\b[^>]*>/.exec(other)?.[0]
  if (ownStyles === undefined || styles === undefined || masters === undefined || root === undefined)
    return undefined
  const automatic = section(other, 'office:automatic-styles') ?? ''
  const text = scaled(renamed(own), widthOf(masters, automatic) / ownWidth)
  const body = /<office:body>([\s\S]*)<\/office:body>/.exec(text)?.[1] ?? ''
  const first = firstPage(other, automatic)
  const kept = (section(text, 'office:automatic-styles') ?? '').replace(
    /<style:page-layout\b[\s\S]*?<\/style:page-layout>/g,
    '',
  )
  const begun = first === undefined ? { automatic: '', body } : beginOn(first, body, kept)
  return [
    '<?xml version="1.0" encoding="UTF-8"?>\n',
    withNamespaces(root, /<office:document\b[^>]*>/.exec(own)?.[0] ?? ''),
    whole(own, 'office:meta'),
    whole(other, 'office:settings'),
    `<office:font-face-decls>${joined(section(other, 'office:font-face-decls') ?? '', section(own, 'office:font-face-decls') ?? '')}</office:font-face-decls>`,
    `<office:styles>${joined(styles, ownStyles)}</office:styles>`,
    `<office:automatic-styles>${automatic}${kept}${begun.automatic}</office:automatic-styles>`,
    `<office:master-styles>${masters}</office:master-styles>`,
    `<office:body>${begun.body}</office:body></office:document>`,
  ].join('')
}

function section(document: string, name: string): string | undefined {
  const start = document.indexOf(`<${name}>`)
  const end = document.indexOf(`</${name}>`, start)
  return start < 0 || end < 0 ? undefined : document.slice(start + name.length + 2, end)
}

function whole(document: string, name: string): string {
  const content = section(document, name)
  return content === undefined ? '' : `<${name}>${content}</${name}>`
}

/** Merges the namespace declarations of both documents. */
function withNamespaces(root: string, own: string): string {
  const more = [...own.matchAll(/ xmlns:([\w-]+)="[^"]*"/g)].filter(
    ([, prefix]) => !root.includes(` xmlns:${prefix}=`),
  )
  return root.replace(/>$/, `${more.map(([attribute]) => attribute).join('')}>`)
}

/**
 * Top-level elements of style containers. Each is identified by name and family, or is the only one of its
 * kind.
 */
const element = /<((?:style|text|draw|table|number|svg|loext):[\w-]+)\b([^>]*?)(?:\/>|>[\s\S]*?<\/\1>)/g

function keyOf(name: string, attributes: string): string {
  const of = (attribute: string): string => new RegExp(` ${attribute}="([^"]*)"`).exec(attributes)?.[1] ?? ''
  return [name, of('style:family'), of('style:name'), of('text:note-class')].join(' ')
}

/** The elements of `first`, and those of `second` that `first` lacks. */
function joined(first: string, second: string): string {
  const known = new Set(
    [...first.matchAll(element)].map(([, name = '', attributes = '']) => keyOf(name, attributes)),
  )
  const more = [...second.matchAll(element)].filter(
    ([, name = '', attributes = '']) => !known.has(keyOf(name, attributes)),
  )
  return first + more.map(([one]) => one).join('')
}

/** Renames the automatic styles so that they do not clash with those of the other document. */
function renamed(own: string): string {
  const automatic = section(own, 'office:automatic-styles') ?? ''
  const names = new Set([...automatic.matchAll(/<style:style style:name="([^"]+)"/g)].map(([, name]) => name))
  return own.replace(
    /((?:text|table|draw):style-name|style:name)="([^"]+)"/g,
    (all, attribute: string, name: string) => (names.has(name) ? `${attribute}="own-${name}"` : all),
  )
}

/** Scales tables to the text width of the other page, and limits pictures to it. */
function scaled(own: string, factor: number): string {
  if (!Number.isFinite(factor) || Math.abs(factor - 1) < 0.001) return own
  const times = (value: string): string => `${Math.round(Number(value) * factor * 100) / 100}pt`
  const wider = own.replace(
    /(style:(?:column-)?width)="([\d.]+)pt"/g,
    (_, attribute: string, value: string) => `${attribute}="${times(value)}"`,
  )
  const most = ownWidth * factor
  return wider.replace(
    /svg:width="([\d.]+)pt" svg:height="([\d.]+)pt"/g,
    (all, width: string, height: string) => {
      const share = most / Number(width)
      return share >= 1 ? all : `svg:width="${most}pt" svg:height="${Number(height) * share}pt"`
    },
  )
}

const points: Readonly<Record<string, number>> = { pt: 1, in: 72, cm: 72 / 2.54, mm: 72 / 25.4, pc: 12 }

/** Text width of the page style 'Standard', pt. */
function widthOf(masters: string, automatic: string): number {
  const layout = /<style:master-page style:name="Standard"[^>]*style:page-layout-name="([^"]+)"/.exec(
    masters,
  )?.[1]
  const start = automatic.indexOf(`<style:page-layout style:name="${layout}"`)
  const properties =
    /<style:page-layout-properties\b[^>]*>/.exec(automatic.slice(Math.max(start, 0)))?.[0] ?? ''
  const length = (name: string): number => {
    const [, value, unit = ''] = new RegExp(` ${name}="(-?[\\d.]+)(pt|in|cm|mm|pc)"`).exec(properties) ?? []
    return value === undefined ? Number.NaN : Number(value) * (points[unit] ?? Number.NaN)
  }
  const left = length('fo:page-width') - (length('fo:margin-left') || 0) - (length('fo:margin-right') || 0)
  return start >= 0 && left > 36 ? left : ownWidth
}

/** Page style that the other document begins with, unless it is 'Standard'. */
function firstPage(other: string, automatic: string): string | undefined {
  const body =
    section(other, 'office:text') ?? /<office:text\b[^>]*>([\s\S]*)<\/office:text>/.exec(other)?.[1] ?? ''
  const name = /<(?:text:p|text:h|table:table)\b[^>]*?(?:text|table):style-name="([^"]+)"/.exec(body)?.[1]
  if (name === undefined) return undefined
  const style = new RegExp(`<style:style style:name="${name.replace(/[^\w-]/g, '\\$&')}"[^>]*`).exec(
    automatic,
  )?.[0]
  const master = /style:master-page-name="([^"]+)"/.exec(style ?? '')?.[1]
  return master === undefined || master === 'Standard' ? undefined : master
}

/**
 * Starts the text on that page style. The first block gets the page style itself, because even an empty
 * paragraph would shift the text.
 */
function beginOn(
  master: string,
  body: string,
  kept: string,
): { readonly automatic: string; readonly body: string } {
  const found = /<(text:p|text:h|table:table)\b([^>]*?)((?:text|table):style-name)="([^"]+)"/.exec(body)
  if (found === null) return { automatic: '', body }
  const [all, name, before, attribute, parent = ''] = found
  const family = name === 'table:table' ? 'table' : 'paragraph'
  const page = `style:master-page-name="${master}"`
  // Automatic styles cannot be parents, so the properties are copied.
  const [own] =
    [...kept.matchAll(element)].find(([, , attributes = '']) =>
      attributes.includes(`style:name="${parent}"`),
    ) ?? []
  const style =
    own === undefined
      ? `<style:style style:name="own-first" style:family="${family}" style:parent-style-name="${parent}" ${page}/>`
      : own.replace(`style:name="${parent}"`, () => `style:name="own-first" ${page}`)
  const changed = `<${name}${before}${attribute}="own-first"`
  return { automatic: style, body: body.replace(all, () => changed) }
}
