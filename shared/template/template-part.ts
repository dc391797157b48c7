/** The syntax of a part, which determines its scanner, how values are escaped and where a line ends. */
export type Syntax = 'xml' | 'html' | 'markdown' | 'csv' | 'json' | 'text'

/** One text of a template that may contain tags. */
export interface TemplatePart {
  readonly name: string // 'word/document.xml'; for a single-file format the format id
  readonly syntax: Syntax
  readonly text: string
}
