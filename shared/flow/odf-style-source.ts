/**
 * Applies the styles of another document to a text written by `writeOdf`; both are flat OpenDocument texts
 * (ODF 1.3 part 3). Styles, page styles with headers and footers, and settings come from the other document;
 * the text, and styles that the other lacks, are kept.
 */
import { entryOf } from '../entry-of.ts'
import { conventionalXml } from '../xml/conventional.ts'
import {
  attributeOf,
  attributesOf,
  elementIn,
  elementsIn,
  type LocatedElement,
  replaceAttribute,
  replaceElements,
  replaceTags,
  tagsIn,
  withAttributes,
  withoutAttribute,
} from '../xml/elements.ts'

/** Text width that `writeOdf` assumes: its default page without margins, pt. */
const defaultTextWidth = 595.3 - 2 * 56.7

/** `target` is the output of `writeOdf`. Returns undefined when `source` is not a flat OpenDocument text. */
export function inStylesOf(target: string, source: string): string | undefined {
  const other = conventionalXml(source)
  const [targetStyles, styles] = [section(target, 'office:styles'), section(other, 'office:styles')]
  const masters = section(other, 'office:master-styles')
  const root = rootOf(other)
  if (targetStyles === undefined || styles === undefined || masters === undefined || root === undefined)
    return undefined
  const automatic = section(other, 'office:automatic-styles') ?? ''
  const text = scaled(renamed(target), widthOf(masters, automatic) / defaultTextWidth)
  const body = section(text, 'office:body') ?? ''
  const first = firstPage(other, automatic)
  const withoutLayouts = replaceElements(
    section(text, 'office:automatic-styles') ?? '',
    'style:page-layout',
    () => '',
  )
  const begun = first === undefined ? { automatic: '', body } : beginOn(first, body, withoutLayouts)
  return [
    '<?xml version="1.0" encoding="UTF-8"?>\n',
    withNamespaces(root, rootOf(target) ?? ''),
    requiredSection(target, 'office:meta'),
    requiredSection(other, 'office:settings'),
    `<office:font-face-decls>${joined(section(other, 'office:font-face-decls') ?? '', section(target, 'office:font-face-decls') ?? '')}</office:font-face-decls>`,
    `<office:styles>${joined(styles, targetStyles)}</office:styles>`,
    `<office:automatic-styles>${automatic}${withoutLayouts}${begun.automatic}</office:automatic-styles>`,
    `<office:master-styles>${masters}</office:master-styles>`,
    `<office:body>${begun.body}</office:body></office:document>`,
  ].join('')
}

const rootOf = (document: string): string | undefined =>
  tagsIn(document, 'office:document').next().value ?? undefined

const section = (document: string, name: string): string | undefined => elementIn(document, name)?.content

function requiredSection(document: string, name: string): string {
  const content = section(document, name)
  return content === undefined ? '' : `<${name}>${content}</${name}>`
}

/** Merges the namespace declarations of both documents. */
function withNamespaces(root: string, target: string): string {
  const declared = attributesOf(root)
  const more = [...attributesOf(target)].filter(([name]) => name.startsWith('xmlns:') && !declared.has(name))
  return `${root.slice(0, -1)}${more.map(([name, uri]) => ` ${name}="${uri}"`).join('')}>`
}

/** Each element of a style container is identified by name and family, or is the only one of its kind. */
function keyOf({ name, attributes }: LocatedElement): string {
  const of = (attribute: string): string => attributeOf(attributes, attribute) ?? ''
  return [name, of('style:family'), of('style:name'), of('text:note-class')].join(' ')
}

/** The elements of `first`, and those of `second` that `first` lacks. */
function joined(first: string, second: string): string {
  const existingKeys = new Set([...elementsIn(first)].map(keyOf))
  const more = [...elementsIn(second)].filter((each) => !existingKeys.has(keyOf(each)))
  return first + more.map(({ start, end }) => second.slice(start, end)).join('')
}

/** Attributes that name a style, or refer to one by its name. */
const styleNames = ['text:style-name', 'table:style-name', 'draw:style-name', 'style:name']

/** Renames the automatic styles so that they do not clash with those of the other document. */
function renamed(target: string): string {
  const automatic = section(target, 'office:automatic-styles') ?? ''
  const names = new Set(
    [...elementsIn(automatic, 'style:style')].map(({ attributes }) => attributeOf(attributes, 'style:name')),
  )
  return replaceTags(target, (tag) => {
    if (!tag.includes('name="')) return tag
    return styleNames.reduce((changed, attribute) => {
      const name = attributeOf(changed, attribute)
      return name !== undefined && names.has(name)
        ? replaceAttribute(changed, attribute, `own-${name}`)
        : changed
    }, tag)
  })
}

/** A length in points as `writeOdf` writes it; NaN for other attributes. */
const pointsOf = (tag: string, attribute: string): number => {
  const value = attributeOf(tag, attribute) ?? ''
  return value.endsWith('pt') ? Number(value.slice(0, -2)) : Number.NaN
}

/** Scales tables to the text width of the other page, and limits pictures to it. */
function scaled(target: string, factor: number): string {
  if (!Number.isFinite(factor) || Math.abs(factor - 1) < 0.001) return target
  const maxWidth = defaultTextWidth * factor
  return replaceTags(target, (tag) => {
    if (!tag.includes('width="')) return tag
    let changed = tag
    for (const attribute of ['style:width', 'style:column-width']) {
      const width = pointsOf(tag, attribute)
      if (!Number.isNaN(width))
        changed = replaceAttribute(changed, attribute, `${Math.round(width * factor * 100) / 100}pt`)
    }
    const ratio = maxWidth / pointsOf(tag, 'svg:width')
    if (!(ratio < 1)) return changed
    const height = pointsOf(tag, 'svg:height') * ratio
    return replaceAttribute(
      replaceAttribute(changed, 'svg:width', `${maxWidth}pt`),
      'svg:height',
      `${height}pt`,
    )
  })
}

const points: Readonly<Record<string, number>> = { pt: 1, in: 72, cm: 72 / 2.54, mm: 72 / 25.4, pc: 12 }

const isNamed =
  (name: string | undefined) =>
  ({ attributes }: LocatedElement): boolean =>
    name !== undefined && attributeOf(attributes, 'style:name') === name

/** Text width of the page style 'Standard', pt. */
function widthOf(masters: string, automatic: string): number {
  const master = [...elementsIn(masters, 'style:master-page')].find(isNamed('Standard'))
  const layoutName = master && attributeOf(master.attributes, 'style:page-layout-name')
  const layout = [...elementsIn(automatic, 'style:page-layout')].find(isNamed(layoutName))
  const properties = elementIn(layout?.content ?? '', 'style:page-layout-properties')?.attributes ?? ''
  const length = (name: string): number => {
    const [, value, unit = ''] =
      /^(-?[\d.]+)(pt|in|cm|mm|pc)$/.exec(attributeOf(properties, name) ?? '') ?? []
    return value === undefined ? Number.NaN : Number(value) * (entryOf(points, unit) ?? Number.NaN)
  }
  const left = length('fo:page-width') - (length('fo:margin-left') || 0) - (length('fo:margin-right') || 0)
  return left > 36 ? left : defaultTextWidth
}

/** The first block of a text that has a style, and the name of that style. */
function firstBlock(
  body: string,
): { readonly tag: string; readonly attribute: string; readonly style: string } | undefined {
  for (const tag of tagsIn(body, 'text:p', 'text:h', 'table:table')) {
    const attribute = tag.startsWith('<table') ? 'table:style-name' : 'text:style-name'
    const style = attributeOf(tag, attribute)
    if (style !== undefined) return { tag, attribute, style }
  }
  return undefined
}

/** Page style that the other document begins with, unless it is 'Standard'. */
function firstPage(other: string, automatic: string): string | undefined {
  const block = firstBlock(section(other, 'office:text') ?? '')
  const style = [...elementsIn(automatic, 'style:style')].find(isNamed(block?.style))
  const master = style && attributeOf(style.attributes, 'style:master-page-name')
  return master === undefined || master === 'Standard' ? undefined : master
}

/**
 * Starts the text on that page style. The first block gets the page style itself, because even an empty
 * paragraph would shift the text.
 */
function beginOn(
  master: string,
  body: string,
  automaticStyles: string,
): { readonly automatic: string; readonly body: string } {
  const block = firstBlock(body)
  if (block === undefined) return { automatic: '', body }
  const { tag, attribute, style: parent } = block
  const family = attribute === 'table:style-name' ? 'table' : 'paragraph'
  const page = `style:master-page-name="${master}"`
  // Automatic styles cannot be parents, so the properties are copied.
  const automaticStyle = [...elementsIn(automaticStyles, 'style:style')].find(isNamed(parent))
  const style =
    automaticStyle === undefined
      ? `<style:style style:name="own-first" style:family="${family}" style:parent-style-name="${parent}" ${page}/>`
      : withAttributes(
          automaticStyle,
          ` style:name="own-first" ${page}${withoutAttribute(automaticStyle.attributes, 'style:name')}`,
        )
  const changed = replaceAttribute(tag, attribute, 'own-first')
  return { automatic: style, body: body.replace(tag, () => changed) }
}
