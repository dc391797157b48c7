/**
 * The styles of a flow written as OpenDocument: named styles that users can change in one place, with the
 * names that office programs display.
 */
import type { FlowPage } from './flow.ts'

const sans = 'Liberation Sans'
const text = 'Carlito'
const mono = 'Liberation Mono'

/** Font sizes of the six heading levels, pt. */
const headings = [20, 16, 13.5, 12, 11, 10.5] as const
const listLevels = 9
/** Indent of each list level, pt. */
const listStep = 18

export function flowStyles(language: string | undefined): string {
  const [code = 'en', country = 'none'] = (language ?? 'en').split('-')
  const locale = `fo:language="${/^[a-z]{2,3}$/i.test(code) ? code.toLowerCase() : 'en'}" fo:country="${/^[a-z]{2}$/i.test(country) ? country.toUpperCase() : 'none'}"`
  return `<office:font-face-decls>${fonts}</office:font-face-decls><office:styles>
<style:default-style style:family="paragraph"><style:paragraph-properties style:tab-stop-distance="36pt"/><style:text-properties style:font-name="${text}" fo:font-size="11pt" ${locale}/></style:default-style>
<style:default-style style:family="table"><style:table-properties table:border-model="collapsing"/></style:default-style>
${paragraph('Standard', '', '', '')}
${paragraph('Text_20_body', 'Standard', 'fo:margin-top="0pt" fo:margin-bottom="7pt" fo:line-height="115%"', '')}
${paragraph('Heading', 'Standard', 'fo:margin-top="14pt" fo:margin-bottom="5pt" fo:keep-with-next="always"', `style:font-name="${sans}" fo:font-weight="bold" style:font-weight-asian="bold" style:font-weight-complex="bold" fo:color="#1f2937"`)}
${headings.map((size, at) => heading(at + 1, size)).join('\n')}
${paragraph('List_20_Contents', 'Standard', 'fo:margin-top="0pt" fo:margin-bottom="3pt" fo:line-height="115%"', '')}
${paragraph('Quotations', 'Standard', 'fo:margin-left="18pt" fo:margin-right="18pt" fo:margin-top="0pt" fo:margin-bottom="7pt" fo:padding-left="8pt" fo:border-left="2pt solid #9ca3af" fo:line-height="115%"', 'fo:font-style="italic" fo:color="#4b5563"')}
${paragraph('Preformatted_20_Text', 'Standard', 'fo:margin-top="2pt" fo:margin-bottom="8pt" fo:padding="6pt" fo:border="0.5pt solid #d1d5db" fo:background-color="#f3f4f6"', `style:font-name="${mono}" fo:font-size="9pt"`)}
${paragraph('Code_20_Gap', 'Standard', '', 'fo:font-size="2pt"')}
${paragraph('Horizontal_20_Line', 'Standard', 'fo:margin-top="4pt" fo:margin-bottom="10pt" fo:border-bottom="0.75pt solid #9ca3af" fo:padding-bottom="0pt"', 'fo:font-size="4pt"')}
${paragraph('Table_20_Contents', 'Standard', '', 'fo:font-size="10pt"')}
${paragraph('Table_20_Heading', 'Table_20_Contents', '', 'fo:font-weight="bold" style:font-weight-asian="bold" style:font-weight-complex="bold"')}
${paragraph('Footnote', 'Standard', 'fo:margin-left="12pt" fo:text-indent="-12pt"', 'fo:font-size="9pt"')}
<style:style style:name="Source_20_Text" style:display-name="Source Text" style:family="text"><style:text-properties style:font-name="${mono}" fo:font-size="9.5pt" fo:background-color="#f3f4f6"/></style:style>
<style:style style:name="Internet_20_link" style:display-name="Internet link" style:family="text"><style:text-properties fo:color="#0563c1" style:text-underline-style="solid" style:text-underline-width="auto"/></style:style>
${list('Bullets', (level) => `<text:list-level-style-bullet text:level="${level}" text:bullet-char="${['\u2022', '\u25e6', '\u25aa'][(level - 1) % 3]}">`, 'text:list-level-style-bullet')}
${list('Numbering', (level) => `<text:list-level-style-number text:level="${level}" style:num-format="${['1', 'a', 'i'][(level - 1) % 3]}" style:num-suffix=".">`, 'text:list-level-style-number')}
${list('Tasks', (level) => `<text:list-level-style-number text:level="${level}" style:num-format="">`, 'text:list-level-style-number')}
<text:notes-configuration text:note-class="footnote" style:num-format="1" text:start-value="0" text:footnotes-position="page"/>
</office:styles>`
}

/** Automatic styles that depend on the page size. */
export function flowStylesOfPage({ width, height, margin }: FlowPage): string {
  const orientation = width > height ? 'landscape' : 'portrait'
  const border = 'fo:border="0.5pt solid #9ca3af" fo:padding="3pt"'
  return `<style:page-layout style:name="page"><style:page-layout-properties fo:page-width="${width}pt" fo:page-height="${height}pt" style:print-orientation="${orientation}" fo:margin-top="${margin.top}pt" fo:margin-right="${margin.right}pt" fo:margin-bottom="${margin.bottom}pt" fo:margin-left="${margin.left}pt"/></style:page-layout><style:style style:name="cell" style:family="table-cell"><style:table-cell-properties ${border}/></style:style><style:style style:name="head" style:family="table-cell"><style:table-cell-properties ${border} fo:background-color="#e5e7eb"/></style:style><style:style style:name="picture" style:family="graphic"><style:graphic-properties style:vertical-pos="bottom" style:vertical-rel="baseline" fo:margin="0pt"/></style:style>`
}

const fonts = [
  [text, 'swiss', 'variable'],
  [sans, 'swiss', 'variable'],
  [mono, 'modern', 'fixed'],
]
  .map(
    ([name, family, pitch]) =>
      `<style:font-face style:name="${name}" svg:font-family="'${name}'" style:font-family-generic="${family}" style:font-pitch="${pitch}"/>`,
  )
  .join('')

function paragraph(name: string, parent: string, layout: string, textProperties: string): string {
  const from = parent === '' ? '' : ` style:parent-style-name="${parent}"`
  const first = layout === '' ? '' : `<style:paragraph-properties ${layout}/>`
  const second = textProperties === '' ? '' : `<style:text-properties ${textProperties}/>`
  return `<style:style style:name="${name}" style:display-name="${name.replaceAll('_20_', ' ')}" style:family="paragraph"${from}>${first}${second}</style:style>`
}

function heading(level: number, size: number): string {
  return `<style:style style:name="Heading_20_${level}" style:display-name="Heading ${level}" style:family="paragraph" style:parent-style-name="Heading" style:next-style-name="Text_20_body" style:default-outline-level="${level}"><style:text-properties fo:font-size="${size}pt" style:font-size-asian="${size}pt" style:font-size-complex="${size}pt"/></style:style>`
}

function list(name: string, open: (level: number) => string, element: string): string {
  const levels = Array.from({ length: listLevels }, (_, at) => {
    const indent = (at + 1) * listStep
    const align = `<style:list-level-label-alignment text:label-followed-by="listtab" text:list-tab-stop-position="${indent}pt" fo:text-indent="-${listStep}pt" fo:margin-left="${indent}pt"/>`
    return `${open(at + 1)}<style:list-level-properties text:list-level-position-and-space-mode="label-alignment">${align}</style:list-level-properties></${element}>`
  })
  return `<text:list-style style:name="${name}">${levels.join('')}</text:list-style>`
}
