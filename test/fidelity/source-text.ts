import { readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { nodeCodec } from '../../origin/codec.ts'
import { defaultLimits } from '../../shared/limits.ts'
import { openZip } from '../../shared/office/zip.ts'

/**
 * The words a document holds, read in the plainest way there is and with nothing of the readers that are measured: tags
 * are walked one by one, and what stands in text elements is text. Left out is what no page shows as it is written:
 * deleted and hidden text, comments, what alternates stand in for, and results of fields that are counted anew.
 */
export function sourceWords(file: string): string[] {
  const open = extname(file).toLowerCase() === '.odt'
  const part = partsOf(file)
  if (/^\.p[po][a-z]+$/i.test(extname(file))) return slideWords(part)
  const texts = open
    ? [openText(part('content.xml'), hiddenOpenStyles(part('content.xml') + part('styles.xml')))]
    : ['document', 'footnotes', 'endnotes'].map((name) =>
        wordText(part(`word/${name}.xml`), hiddenWordStyles(part('word/styles.xml'))),
      )
  return texts.join(' ').split(/\s+/).filter(Boolean)
}

/** The parts of a package by name, as text; '' where it has no such part. Throws where the file is no package. */
function partsOf(file: string): (name: string) => string {
  const archive = openZip(readFileSync(file), {
    codec: nodeCodec,
    limits: defaultLimits,
    format: extname(file).slice(1),
  })
  return (name) => {
    const entry = archive.entries.find((each) => each.name === name)
    return entry === undefined ? '' : new TextDecoder().decode(archive.read(entry))
  }
}

/** The text of the slides that are shown, and of none of the parts behind them. Numbers and dates are fields. */
function slideWords(part: (name: string) => string): string[] {
  const words: string[] = []
  for (
    let at = 1, xml = part('ppt/slides/slide1.xml');
    xml !== '';
    xml = part(`ppt/slides/slide${++at}.xml`)
  ) {
    if (/<p:sld\b[^>]*\sshow="(?:0|false)"/.test(xml)) continue
    let text = ''
    let isField = false
    for (const { name, kind, text: content } of tagsOf(
      xml.replace(/<mc:Fallback>[\s\S]*?<\/mc:Fallback>/g, ''),
    )) {
      if (name === 'a:fld') isField = kind === 'open'
      else if (name === 'a:t' && kind === 'open' && !isField) text += plain(content)
      else if (name === 'a:p' || name === 'a:br') text += ' '
    }
    words.push(...text.split(/\s+/).filter(Boolean))
  }
  return words
}

interface Tag {
  readonly name: string
  readonly kind: 'open' | 'close' | 'empty'
  /** Of the tag as it is written. */
  attribute(name: string): string | undefined
  /** What stands between it and the next tag. */
  readonly text: string
}

function* tagsOf(xml: string): Generator<Tag> {
  const bare = xml.replace(/<!--[\s\S]*?-->|<\?[\s\S]*?\?>/g, '')
  for (const [, close, name, attributes, empty, text] of bare.matchAll(
    /<(\/?)([\w:.-]+)((?:[^>"']|"[^"]*"|'[^']*')*?)(\/?)>([^<]*)/g,
  )) {
    yield {
      name: name!,
      kind: close ? 'close' : empty ? 'empty' : 'open',
      attribute: (wanted) =>
        new RegExp(`\\s${wanted}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`)
          .exec(attributes!)
          ?.slice(1)
          .find((value) => value !== undefined),
      text: text!,
    }
  }
}

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

function plain(text: string): string {
  return text.replace(/&(#x?)?(\w+);/g, (whole, number: string | undefined, name: string) => {
    if (number !== undefined) return String.fromCodePoint(Number.parseInt(name, number === '#x' ? 16 : 10))
    return entities[name] ?? whole
  })
}

const off = /^(0|false|off|none)$/

function hiddenWordStyles(styles: string): ReadonlySet<string> {
  const hidden = new Set<string>()
  for (const [style] of styles.matchAll(/<w:style [\s\S]*?<\/w:style>/g)) {
    const id = /w:styleId="([^"]*)"/.exec(style)?.[1]
    const vanish = /<w:vanish(?: w:val="([^"]*)")?\s*\/>/.exec(style)
    if (id !== undefined && vanish !== null && !off.test(vanish[1] ?? '')) hidden.add(id)
  }
  return hidden
}

/** Elements of a part that are not its text, or repeat the same text. */
const wordSkipped = new Set([
  'mc:Fallback',
  'w:del',
  'w:moveFrom',
  'w:instrText',
  'w:delText',
  'w:rt',
  'm:oMath',
])
/** Fields whose result is kept as it was saved. */
const keptField =
  /^\s*(HYPERLINK|REF|TOC|SEQ|STYLEREF|MERGEFIELD|CITATION|BIBLIOGRAPHY|ADDIN|INDEX|XE|QUOTE)\b/i

function wordText(xml: string, hiddenStyles: ReadonlySet<string>): string {
  let text = ''
  let run = ''
  let hidden = false
  let skipped = '' // the element being passed over
  let depth = 0
  let shows = false
  const fields: { instruction: string; result: boolean }[] = []
  for (const tag of tagsOf(xml)) {
    const { name, kind } = tag
    if (skipped !== '') {
      const field = fields.at(-1)
      if (name === 'w:instrText' && field !== undefined) field.instruction += tag.text
      if (name === skipped) depth += kind === 'open' ? 1 : kind === 'close' ? -1 : 0
      if (depth === 0) skipped = ''
      continue
    }
    if (kind === 'open' && wordSkipped.has(name)) {
      if (name === 'w:instrText' && fields.length > 0) fields.at(-1)!.instruction += plain(tag.text)
      skipped = name
      depth = 1
      continue
    }
    if (name === 'w:fldSimple') {
      if (kind === 'open') fields.push({ instruction: plain(tag.attribute('w:instr') ?? ''), result: true })
      else if (kind === 'close') fields.pop()
    } else if (name === 'w:fldChar') {
      const type = tag.attribute('w:fldCharType')
      if (type === 'begin') fields.push({ instruction: '', result: false })
      else if (type === 'separate' && fields.length > 0) fields.at(-1)!.result = true
      else if (type === 'end') fields.pop()
    } else if (name === 'w:r' && kind === 'open') {
      run = ''
      hidden = false
    } else if ((name === 'w:vanish' || name === 'w:webHidden') && kind === 'empty') {
      hidden ||= name === 'w:vanish' && !off.test(tag.attribute('w:val') ?? '')
    } else if (name === 'w:rStyle') hidden ||= hiddenStyles.has(tag.attribute('w:val') ?? '')
    else if (name === 'w:t' || name === 'w:tab' || name === 'w:br' || name === 'w:cr') {
      shows = fields.every((field) => field.result && keptField.test(field.instruction))
      const piece = name === 'w:t' ? (kind === 'open' ? plain(tag.text) : '') : ' '
      if (shows) run += piece
    } else if (name === 'w:noBreakHyphen') run += '-'
    else if ((name === 'w:r' && kind === 'close') || name === 'w:p' || name === 'w:txbxContent') {
      if (!hidden) text += run
      run = ''
      if (name !== 'w:r') text += ' '
    }
  }
  return text
}

function hiddenOpenStyles(xml: string): ReadonlySet<string> {
  const hidden = new Set<string>()
  for (const [style, name] of xml.matchAll(
    /<style:style [^>]*?style:name="([^"]*)"(?:(?!<\/style:style>|<style:style )[\s\S])*/g,
  )) {
    if (/text:display="(none|condition)"/.test(style)) hidden.add(name!)
  }
  return hidden
}

const openSkipped =
  /^(text:tracked-changes|office:annotation|office:forms|text:(date|time|page-number|page-count|file-name|title|subject|hidden-(text|paragraph)|conditional-text|variable-\w+|user-field-\w+|expression|sequence(-ref)?|bookmark-ref|reference-ref|note-citation|note-ref|chapter|sender-\w+|author-\w+|initial-creator|creator|(creation|modification|print)-(date|time)|database-\w+|placeholder|script|ruby-text|\w+-count|editing-\w+|template-name|keywords|description|user-defined|dde-connection|measure|page-continuation|page-variable-\w+|printed-by)|svg:(title|desc)|draw:object|draw:object-ole|table:(tracked-changes|shapes)|office:event-listeners)$/

function openText(xml: string, hiddenStyles: ReadonlySet<string>): string {
  const body = xml.slice(Math.max(0, xml.indexOf('<office:text')))
  let text = ''
  let skipped = ''
  let depth = 0
  let paragraphs = 0
  for (const tag of tagsOf(body)) {
    const { name, kind } = tag
    if (skipped !== '') {
      if (name === skipped) depth += kind === 'open' ? 1 : kind === 'close' ? -1 : 0
      if (depth > 0) continue
      skipped = ''
      if (paragraphs > 0) text += plain(tag.text)
      continue
    }
    const hidden =
      hiddenStyles.has(tag.attribute('text:style-name') ?? '') ||
      /^(none|condition)$/.test(tag.attribute('text:display') ?? '')
    if (kind === 'open' && (openSkipped.test(name) || hidden)) {
      skipped = name
      depth = 1
      continue
    }
    const paragraph = name === 'text:p' || name === 'text:h'
    if (paragraph) {
      paragraphs += kind === 'open' ? 1 : kind === 'close' ? -1 : 0
      text += ' '
    } else if (/^text:(s|tab|line-break)$/.test(name)) text += ' '
    if (paragraphs > 0) text += plain(tag.text)
  }
  return text
}
