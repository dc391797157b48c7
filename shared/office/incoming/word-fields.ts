/**
 * Fields of WordprocessingML (ISO/IEC 29500-1, 17.16), also as Word 2003 writes them: an instruction that loads
 * something is emptied, and the saved result of the field is kept.
 */

import type { ElementContent, StartTag } from '../../xml/edit-tags.ts'
import { loadedByField } from './fields.ts'
import type { ScannedContent } from './findings.ts'

/** A field between its marks (17.16.18). Its instruction may be split into runs, and contain other fields. */
interface OpenWordField {
  instruction: string
  readonly parts: ElementContent[]
  /** The mark between instruction and result has passed. */
  hasResult: boolean
  /** The field whose instruction its result belongs to. */
  readonly into: OpenWordField | undefined
}

/** Far longer than any instruction. Of longer ones only the position is stored. */
const maxInstruction = 65_536

/** Elements are identified by their local names, which the strict form, the transitional form and Word 2003 share. */
export class WordFields {
  readonly #findings: ScannedContent
  readonly #open: OpenWordField[] = []

  constructor(findings: ScannedContent) {
    this.#findings = findings
  }

  visit(tag: StartTag): void {
    switch (tag.name) {
      case 'fldSimple':
        this.#visitSimple(tag)
        break
      case 'fldChar':
        this.#visitFieldCharacter(tag)
        break
      case 'instrText':
      case 'delInstrText':
        tag.onContent((content) => this.#addInstruction(content))
        break
      case 't': {
        const into = this.#innermost()?.into
        if (into !== undefined && this.#innermost()?.hasResult)
          tag.onContent(({ value }) => append(into, value))
        break
      }
    }
  }

  /** Called at the end of a text, for fields that were never closed. */
  end(): void {
    for (const field of this.#open.splice(0)) this.#check(field)
  }

  #innermost(): OpenWordField | undefined {
    return this.#open.at(-1)
  }

  #visitSimple(tag: StartTag): void {
    const instruction = tag.attribute(tag.uri, 'instr')
    const kind = loadedByField(instruction?.value ?? '')
    if (instruction === undefined || kind === undefined) return
    instruction.replace('')
    this.#findings.drop(kind)
  }

  #visitFieldCharacter(tag: StartTag): void {
    const field = this.#innermost()
    switch (tag.attribute(tag.uri, 'fldCharType')?.value.trim()) {
      case 'begin': {
        const into = field?.hasResult ? field.into : field
        this.#open.push({ instruction: '', parts: [], hasResult: false, into })
        break
      }
      case 'separate':
        if (field !== undefined) field.hasResult = true
        break
      case 'end':
        this.#open.pop()
        if (field !== undefined) this.#check(field)
        break
    }
  }

  #addInstruction(content: ElementContent): void {
    const field = this.#innermost()
    if (field === undefined) return
    append(field, content.value)
    field.parts.push(content)
  }

  #check({ instruction, parts }: OpenWordField): void {
    const kind = loadedByField(instruction)
    if (kind === undefined) return
    for (const part of parts) part.replace('')
    this.#findings.drop(kind)
  }
}

function append(field: OpenWordField, text: string): void {
  if (field.instruction.length < maxInstruction) field.instruction += text
}
