/** Documents with a line in every major script, made from `test/fixtures/scripts.json`. */
import { readFileSync } from 'node:fs'
import { docxOf, odtOf } from './docx.ts'

export interface ScriptSample {
  readonly name: string
  readonly language: string // BCP 47
  readonly text: string
  readonly rightToLeft: boolean
  /** How the PostScript names of the fonts begin that draw it in text without serifs and with them; '': no font file. */
  readonly sans: string
  readonly serif: string
}

export const scriptSamples = JSON.parse(
  readFileSync(new URL('../fixtures/scripts.json', import.meta.url), 'utf8'),
) as readonly ScriptSample[]

/** A DOCX with a paragraph for each script, in a family that has none of them. */
export function docxOfScripts(family: string): Promise<Uint8Array> {
  const fonts = `<w:rFonts w:ascii="${family}" w:hAnsi="${family}" w:eastAsia="${family}" w:cs="${family}"/>`
  const paragraphs = scriptSamples.map(({ name, language, text, rightToLeft }) => {
    const lang = `<w:lang w:val="${language}" w:eastAsia="${language}" w:bidi="${language}"/>`
    const run = (properties: string, content: string) =>
      `<w:r><w:rPr>${fonts}${properties}</w:rPr><w:t xml:space="preserve">${content}</w:t></w:r>`
    const direction = rightToLeft ? '<w:pPr><w:bidi/></w:pPr>' : ''
    return `<w:p>${direction}${run('', `${name}: `)}${run((rightToLeft ? '<w:rtl/>' : '') + lang, text)}</w:p>`
  })
  return docxOf(paragraphs.join(''))
}

/** The same as ODT. */
export async function odtOfScripts(family: string): Promise<Uint8Array> {
  const namespaces =
    'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0" xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0"'
  const styles = scriptSamples.map(({ language }, index) => {
    const [code, country] = language.split('-')
    const tags = ['', '-asian', '-complex'].map((kind) => {
      const prefix = kind === '' ? 'fo' : 'style'
      return `${prefix}:language${kind}="${code}" ${prefix}:country${kind}="${country}" style:font-family${kind}="${family}"`
    })
    return `<style:style style:name="T${index}" style:family="text"><style:text-properties fo:font-family="${family}" ${tags.join(' ').replace(`style:font-family="${family}"`, '')}/></style:style>`
  })
  const paragraphs = scriptSamples.map(
    ({ name, text }, index) =>
      `<text:p><text:span text:style-name="T${index}">${name}: ${text}</text:span></text:p>`,
  )
  return odtOf('', {
    'content.xml': `<?xml version="1.0" encoding="UTF-8"?><office:document-content ${namespaces} office:version="1.2"><office:automatic-styles>${styles.join('')}</office:automatic-styles><office:body><office:text>${paragraphs.join('')}</office:text></office:body></office:document-content>`,
  })
}

/** The same as HTML. */
export function htmlOfScripts(family: string): Uint8Array {
  const paragraphs = scriptSamples.map(
    ({ name, language, text, rightToLeft }) =>
      `<p lang="${language}"${rightToLeft ? ' dir="rtl"' : ''}>${name}: ${text}</p>`,
  )
  return new TextEncoder().encode(
    `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Scripts</title></head><body style="font-family: ${family}">${paragraphs.join('\n')}</body></html>`,
  )
}

/** A line for each script. */
export const linesOfScripts = (): string[] => scriptSamples.map(({ name, text }) => `${name}: ${text}`)

/** Which samples a text lacks, whatever the order of right-to-left words and blanks between letters. */
export function lackingSamples(text: string): string[] {
  const unmarked = (part: string): string => part.replace(/\s|\p{Cf}|\ufe0f/gu, '')
  const plain = unmarked(text)
  return scriptSamples
    .filter((sample) => sample.text.split(/\s/).some((word) => !plain.includes(unmarked(word))))
    .map(({ name }) => name)
}
