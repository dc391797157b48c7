/** The text, pictures, links and check boxes of a paragraph as runs. Source: ECMA-376-1, 17.3.2, 17.16.22, 20.4. */

import type { Additions } from '../../../../shared/office/opc/additions.ts'
import { svgExtension } from '../../../../shared/office/opc/pictures.ts'
import type { HtmlContent } from '../../../../shared/template/html/bind.ts'
import type { HtmlImage, HtmlInline, InlineStyle } from '../../../../shared/template/html/model.ts'
import { embedHtmlImage } from '../../../../shared/template/media/html-image.ts'
import { linkAddress } from '../../../../shared/template/media/link.ts'
import { renderMedia } from '../../../../shared/template/media/media.ts'
import type { RenderScope } from '../../../../shared/template/scope.ts'
import { escapeAttribute, escapeText } from '../../../../shared/xml/markup.ts'

import type { HtmlParts } from './html-parts.ts'
import { changed, type PropertyMarkup, readProperties, writeProperties } from './properties.ts'

/** The context in which the runs of one tag are written. */
export interface RunContext {
  readonly content: HtmlContent
  readonly scope: RenderScope
  readonly run: PropertyMarkup // the properties of the tag's own run
  readonly part: string
  readonly parts: HtmlParts
  readonly additions: Additions
}

/** Inlines as runs. Consecutive inlines with one address become one hyperlink. */
export function runs(inlines: readonly HtmlInline[], context: RunContext): string {
  const propertiesOfStyle = new Map<InlineStyle, string>()
  const runProperties = (style: InlineStyle, isLink: boolean) => {
    let cached = propertiesOfStyle.get(style)
    if (cached === undefined)
      propertiesOfStyle.set(style, (cached = writeProperties('w:rPr', styled(style, isLink, context))))
    return cached
  }
  let out = ''
  for (let at = 0; at < inlines.length; ) {
    const { link } = inlines[at]!.style
    let end = at + 1
    while (end < inlines.length && inlines[end]!.style.link === link) end += 1
    const address = link === undefined ? undefined : usable(link, context.content.fallback)
    const inside = inlines
      .slice(at, end)
      .map((inline) => run(inline, runProperties(inline.style, address !== undefined), context))
      .join('')
    out += address === undefined ? inside : linked(address, inside, context)
    at = end
  }
  return out
}

function usable(link: string, fallback: string | undefined): string | undefined {
  return linkAddress(link) ?? (fallback === undefined ? undefined : linkAddress(fallback))
}

function linked(address: string, inside: string, { additions, scope, part }: RunContext): string {
  const target = address.startsWith('#')
    ? `w:anchor="${escapeAttribute(address.slice(1))}"`
    : `r:id="${additions.link(scope, part, address)}"`
  return `<w:hyperlink ${relationships} ${target} w:history="1">${inside}</w:hyperlink>`
}

const relationships = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'

function styled(style: InlineStyle, isLink: boolean, { run, parts, scope }: RunContext): PropertyMarkup {
  const flag = (name: string, value: boolean | undefined) =>
    value === undefined ? {} : { [name]: value ? `<${name}/>` : `<${name} w:val="0"/>` }
  const changes: Record<string, string | undefined> = {
    ...flag('w:b', style.bold),
    ...flag('w:bCs', style.bold),
    ...flag('w:i', style.italic),
    ...flag('w:iCs', style.italic),
    ...flag('w:strike', style.strike),
  }
  if (isLink) changes['w:rStyle'] = `<w:rStyle w:val="${parts.link(scope, style.underline === false)}"/>`
  if (style.underline !== undefined)
    changes['w:u'] = style.underline ? '<w:u w:val="single"/>' : '<w:u w:val="none"/>'
  if (style.position !== undefined)
    changes['w:vertAlign'] =
      `<w:vertAlign w:val="${style.position === 'sup' ? 'superscript' : 'subscript'}"/>`
  if (style.highlighted === true && style.background === undefined)
    changes['w:highlight'] = '<w:highlight w:val="yellow"/>'
  if (style.code === true)
    changes['w:rFonts'] =
      '<w:rFonts w:ascii="Courier New" w:hAnsi="Courier New" w:eastAsia="Courier New" w:cs="Courier New"/>'
  if (style.font !== undefined) {
    const font = escapeAttribute(style.font)
    changes['w:rFonts'] =
      `<w:rFonts w:ascii="${font}" w:hAnsi="${font}" w:eastAsia="${font}" w:cs="${font}"/>`
  }
  if (style.size !== undefined) {
    const halves = Math.round(style.size * 2)
    changes['w:sz'] = `<w:sz w:val="${halves}"/>`
    changes['w:szCs'] = `<w:szCs w:val="${halves}"/>`
  }
  if (style.color !== undefined) changes['w:color'] = `<w:color w:val="${style.color}"/>`
  if (style.background !== undefined)
    changes['w:shd'] = `<w:shd w:val="clear" w:color="auto" w:fill="${style.background}"/>`
  return changed(run, changes)
}

function run(inline: HtmlInline, runProperties: string, context: RunContext): string {
  switch (inline.kind) {
    case 'text':
      return `<w:r>${runProperties}${text(inline.text)}</w:r>`
    case 'break':
      return `<w:r>${runProperties}<w:br/></w:r>`
    case 'check':
      return checkBox(inline.checked, runProperties)
    case 'image':
      return `<w:r>${runProperties}${drawing(inline, context)}</w:r>`
    default:
      return inline satisfies never
  }
}

const text = (words: string): string =>
  words
    .split('\t')
    .map((segment) => (segment === '' ? '' : `<w:t xml:space="preserve">${escapeText(segment)}</w:t>`))
    .join('<w:tab/>')

const boxFont = 'Segoe UI Symbol'
const signs = { checked: '2611', unchecked: '2610' } as const

/** A check box that can be ticked in Word. [MS-DOCX] 2.6.1.22. */
function checkBox(checked: boolean, runProperties: string): string {
  const font = `<w:rFonts w:ascii="${boxFont}" w:hAnsi="${boxFont}" w:eastAsia="${boxFont}" w:cs="${boxFont}"/>`
  const state = (name: string, code: string) => `<w14:${name} w14:val="${code}" w14:font="${boxFont}"/>`
  const properties = writeProperties('w:rPr', changed(readProperties(runProperties), { 'w:rFonts': font }))
  return `<w:sdt><w:sdtPr><w14:checkbox xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml"><w14:checked w14:val="${checked ? 1 : 0}"/>${state('checkedState', signs.checked)}${state('uncheckedState', signs.unchecked)}</w14:checkbox></w:sdtPr><w:sdtContent><w:r>${properties}<w:t>${checked ? '☑' : '☐'}</w:t></w:r></w:sdtContent></w:sdt>`
}

const emuPerPixel = 9_525
const twipsPerPixel = 15
const drawingMain = 'http://schemas.openxmlformats.org/drawingml/2006/main'
const pictureMain = 'http://schemas.openxmlformats.org/drawingml/2006/picture'
const wordDrawing = 'http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing'

function drawing(image: HtmlImage, { scope, part, parts, additions }: RunContext): string {
  const { file, width, height } = embedHtmlImage(scope, image, parts.textWidth() / twipsPerPixel)
  const id = additions.picture(scope, part, scope.require(renderMedia).fallbackImage(file) ?? file)
  const number = parts.drawing(scope)
  const extent = `cx="${Math.max(1, Math.round(width * emuPerPixel))}" cy="${Math.max(1, Math.round(height * emuPerPixel))}"`
  const vector = file.kind === 'svg' ? svgExtension(additions.picture(scope, part, file)) : ''
  const name = `name="Picture ${number}" descr="${escapeAttribute(image.text)}"`
  return `<w:drawing><wp:inline xmlns:wp="${wordDrawing}" distT="0" distB="0" distL="0" distR="0"><wp:extent ${extent}/><wp:docPr id="${number}" ${name}/><a:graphic xmlns:a="${drawingMain}"><a:graphicData uri="${pictureMain}"><pic:pic xmlns:pic="${pictureMain}"><pic:nvPicPr><pic:cNvPr id="${number}" ${name}/><pic:cNvPicPr/></pic:nvPicPr><pic:blipFill><a:blip ${relationships} r:embed="${id}">${vector}</a:blip><a:stretch><a:fillRect/></a:stretch></pic:blipFill><pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext ${extent}/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></pic:spPr></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing>`
}
