import type { Block, Inline, Paragraph } from '../../../shared/document/content.ts'
import type { Document } from '../../../shared/document/document.ts'
import type { Drawing } from '../../../shared/document/drawing.ts'
import type { ParagraphProperties, RunProperties } from '../../../shared/document/properties.ts'
import type { Style } from '../../../shared/document/styles.ts'
import type { Row, Table } from '../../../shared/document/table.ts'
import { latexOf } from '../../../shared/flow/math-latex.ts'
import { assignAll } from '../../../shared/push-all.ts'
import { escapeLatex } from './escape.ts'

export interface Latex {
  readonly text: string
  /** Pictures by the names under which the text includes them. */
  readonly pictures: ReadonlyMap<string, Uint8Array>
}

const headings = ['section', 'subsection', 'subsubsection', 'paragraph', 'subparagraph'] as const
const preamble = `\\documentclass{article}
\\usepackage{iftex}
\\iftutex
  \\usepackage{fontspec}
\\else
  \\usepackage[T1]{fontenc}
  \\usepackage[utf8]{inputenc}
  \\usepackage{textcomp}
\\fi
\\usepackage{amsmath}
\\usepackage{amssymb}
\\usepackage{graphicx}
\\usepackage{longtable}
\\usepackage[normalem]{ulem}
\\usepackage[hidelinks]{hyperref}
\\setcounter{secnumdepth}{0}
`
const maxStyles = 50

/**
 * Writes the document as LaTeX for XeLaTeX, LuaLaTeX or pdfLaTeX: its content and structure, not the
 * appearance of its pages.
 */
export function writeLatex(document: Document): Latex {
  return new LatexWriter(document).write()
}

interface OpenEnvironment {
  readonly environment: 'itemize' | 'enumerate'
}

class LatexWriter {
  readonly #document: Document
  readonly #pictures = new Map<string, Uint8Array>()
  readonly #names = new Map<string, string>() // media id to its name in the text
  readonly #anchors = new Set<string>()
  #inNote = false

  constructor(document: Document) {
    this.#document = document
  }

  write(): Latex {
    const { information, sections } = this.#document
    const body = sections.map((section) => this.#blocks(section.blocks)).join('')
    const metadata = [
      information.title && `pdftitle={${escapeLatex(information.title)}}`,
      information.author && `pdfauthor={${escapeLatex(information.author)}}`,
    ].filter(Boolean)
    const setup = metadata.length > 0 ? `\\hypersetup{${metadata.join(',')}}\n` : ''
    const text = `${preamble}${setup}\n\\begin{document}\n\n${body.trim()}\n\n\\end{document}\n`
    return { text, pictures: this.#pictures }
  }

  /** Consecutive list paragraphs become one environment, nested by their levels. */
  #blocks(blocks: readonly Block[]): string {
    let out = ''
    const open: OpenEnvironment[] = []
    const closeTo = (depth: number): void => {
      while (open.length > depth) out += `${'  '.repeat(open.length - 1)}\\end{${open.pop()?.environment}}\n`
      if (depth === 0 && out.endsWith('}\n')) out += '\n'
    }
    for (const block of blocks) {
      if (block.kind === 'table') {
        closeTo(0)
        out += this.#table(block)
        continue
      }
      const properties = this.#properties(block)
      const content = this.#inlines(block)
      const { list } = properties
      const level = list === undefined || list.list === '' ? undefined : list.level
      if (level === undefined || this.#heading(properties) !== undefined) {
        closeTo(0)
        if (content.trim() !== '') out += `${this.#paragraph(properties, content)}\n\n`
        continue
      }
      const environment = this.#isBullet(list?.list ?? '', level) ? 'itemize' : 'enumerate'
      closeTo(Math.min(open.length, level + 1))
      if (open.length === level + 1 && open.at(-1)?.environment !== environment) closeTo(level)
      // LaTeX nests lists up to four levels.
      while (open.length < Math.min(level + 1, 4)) {
        out += `${'  '.repeat(open.length)}\\begin{${environment}}\n`
        open.push({ environment })
        if (open.length < Math.min(level + 1, 4)) out += `${'  '.repeat(open.length)}\\item[]\n`
      }
      const item = list?.unnumbered === true ? '\n' : '\\item '
      out += `${'  '.repeat(open.length)}${item}${content}\n`
    }
    closeTo(0)
    return out
  }

  #paragraph(properties: ParagraphProperties, content: string): string {
    const heading = this.#heading(properties)
    if (heading !== undefined) return `\\${heading}{${content}}`
    const style = this.#styleNames(properties.style, 'paragraph')
    if (style.includes('title')) return `\\begin{center}{\\LARGE ${content}}\\end{center}`
    switch (properties.align) {
      case 'center':
        return `\\begin{center}\n${content}\n\\end{center}`
      case 'right':
      case 'end':
        return `\\begin{flushright}\n${content}\n\\end{flushright}`
      default:
        return content
    }
  }

  #heading({ outlineLevel }: ParagraphProperties): string | undefined {
    if (outlineLevel === undefined || outlineLevel > 8 || this.#inNote) return undefined
    return headings[Math.min(outlineLevel, headings.length - 1)]
  }

  #isBullet(list: string, level: number): boolean {
    const format = this.#document.numbering.get(list)?.levels[level]?.format
    return format === 'bullet' || format === 'none'
  }

  #inlines(paragraph: Paragraph): string {
    const base = this.#paragraphRun(paragraph.properties.style)
    return paragraph.inlines.map((inline) => this.#inline(inline, base)).join('')
  }

  #inline(inline: Inline, base: RunProperties): string {
    switch (inline.kind) {
      case 'text':
      case 'field':
        return this.#run(inline.kind === 'text' ? inline.text : inline.field.text, inline, base)
      case 'tab':
        return '\\quad{}'
      case 'break':
        return inline.at === 'line' ? '\\\\\n' : inline.at === 'page' ? '\\newpage{}\n' : ''
      case 'drawing':
        return this.#drawing(inline.drawing)
      case 'note': {
        const note = this.#document.notes.get(inline.note)
        if (note === undefined || this.#inNote) return ''
        this.#inNote = true
        const content = this.#blocks(note.blocks).trim()
        this.#inNote = false
        return `\\footnote{${content}}`
      }
      case 'bookmark':
        if (inline.comment !== undefined || this.#anchors.has(inline.name)) return ''
        this.#anchors.add(inline.name)
        return `\\hypertarget{${anchorOf(inline.name)}}{}`
      case 'soft-hyphen':
        return '\\-'
      case 'note-mark':
        return ''
      default:
        return inline satisfies never
    }
  }

  #run(
    text: string,
    { run, link }: Extract<Inline, { kind: 'text' | 'field' }>,
    base: RunProperties,
  ): string {
    const computed = { ...this.#styleRun(run.style, 'run'), ...run }
    const isOn = (name: 'bold' | 'italic' | 'smallCaps' | 'hidden') => computed[name] ?? false
    if (isOn('hidden') || text === '') return ''
    let out = escapeLatex(computed.caps === true ? text.toUpperCase() : text)
    // Formatting that the command of the paragraph implies, such as bold headings, is omitted.
    if (isOn('bold') && base.bold !== true) out = `\\textbf{${out}}`
    if (isOn('italic') && base.italic !== true) out = `\\textit{${out}}`
    if (isOn('smallCaps')) out = `\\textsc{${out}}`
    if (computed.strike === 'single' || computed.strike === 'double') out = `\\sout{${out}}`
    if (computed.underline !== undefined && computed.underline.style !== 'none' && link === undefined)
      out = `\\uline{${out}}`
    if (computed.script === 'super') out = `\\textsuperscript{${out}}`
    if (computed.script === 'sub') out = `\\textsubscript{${out}}`
    if (link?.href !== undefined) return `\\href{${addressOf(link.href)}}{${out}}`
    if (link?.anchor !== undefined) return `\\hyperlink{${anchorOf(link.anchor)}}{${out}}`
    return out
  }

  #drawing(drawing: Drawing): string {
    const { content } = drawing
    switch (content.kind) {
      case 'picture':
        return this.#picture(content.media, drawing.width)
      case 'shape':
        return content.text === undefined ? '' : `\n\n${this.#blocks(content.text.blocks).trim()}\n\n`
      case 'group':
        return content.children.map((child) => this.#drawing(child.drawing)).join('')
      case 'math':
        return `\\(${content.display ? '\\displaystyle ' : ''}${latexOf(content.math)}\\)`
      case 'ruby':
        return escapeLatex(content.base)
      case 'chart':
      case 'unknown':
        return drawing.description === undefined ? '' : `\\textit{${escapeLatex(drawing.description)}}`
      default:
        return content satisfies never
    }
  }

  #picture(media: string, width: number): string {
    const bytes = this.#document.media.get(media)
    if (bytes === undefined) return ''
    let name = this.#names.get(media)
    if (name === undefined) {
      const extension = /\.(\w{1,5})$/.exec(media)?.[1]?.toLowerCase() ?? 'png'
      name = `picture-${this.#names.size + 1}.${extension}`
      this.#names.set(media, name)
      this.#pictures.set(name, bytes)
    }
    const size = width > 0 ? `[width=${Number(width.toFixed(1))}bp]` : ''
    return `\\includegraphics${size}{${name}}`
  }

  #table({ rows }: Table): string {
    const columns = rows.reduce((max, row) => Math.max(max, widthOf(row)), 0)
    if (columns === 0) return ''
    const fraction = Number((0.96 / columns).toFixed(3))
    const kinds = `|${`p{\\dimexpr${fraction}\\linewidth-2\\tabcolsep}|`.repeat(columns)}`
    const lines = rows.map((row) => {
      const cells = row.cells.map(({ properties, blocks }) => {
        const content =
          properties.merge === 'continue' ? '' : this.#blocks(blocks).trim().replace(/\n\n+/g, '\\newline ')
        const span = properties.span ?? 1
        return span > 1
          ? `\\multicolumn{${span}}{|p{\\dimexpr${Number((fraction * span).toFixed(3))}\\linewidth-2\\tabcolsep}|}{${content}}`
          : content
      })
      return `${cells.join(' & ')} \\\\ \\hline${row.properties.header === true ? '\n\\endhead' : ''}`
    })
    return `\\begin{longtable}{${kinds}}\n\\hline\n${lines.join('\n')}\n\\end{longtable}\n\n`
  }

  /** A property of a paragraph, from its direct formatting, otherwise from its styles. */
  #properties({ properties }: Paragraph): ParagraphProperties {
    const chain = this.#chain(properties.style ?? this.#document.styles.defaultParagraph, 'paragraph')
    return assignAll<ParagraphProperties>({}, [...chain.map((style) => style.paragraph), properties])
  }

  #paragraphRun(style: string | undefined): RunProperties {
    return this.#styleRun(style ?? this.#document.styles.defaultParagraph, 'paragraph')
  }

  #styleRun(style: string | undefined, kind: Style['kind']): RunProperties {
    return assignAll<RunProperties>(
      {},
      this.#chain(style, kind).map((ancestor) => ancestor.run),
    )
  }

  #styleNames(style: string | undefined, kind: Style['kind']): readonly string[] {
    return this.#chain(style, kind).map(({ name }) => name)
  }

  /** The style and those it is based on, from the base to the most specific one. */
  #chain(id: string | undefined, kind: Style['kind']): readonly Style[] {
    const chain: Style[] = []
    for (let at = id; at !== undefined && chain.length < maxStyles; ) {
      const style = this.#document.styles.styles.get(at)
      if (style === undefined || style.kind !== kind || chain.includes(style)) break
      chain.unshift(style)
      at = style.basedOn
    }
    return chain
  }
}

function widthOf(row: Row): number {
  return row.cells.reduce((sum, { properties }) => sum + (properties.span ?? 1), 0)
}

function anchorOf(name: string): string {
  return name.replace(/[^\w.-]/g, '-')
}

/** hyperref takes addresses unchanged except for characters that are special in TeX. */
function addressOf(href: string): string {
  return href.replace(/[\\{}\s^]/g, (character) => encodeURIComponent(character)).replace(/[%#]/g, '\\$&')
}
