import type { ByteSource, FormatId } from '../plugin/contract.ts'

/** How values are escaped and where a line ends: the only thing the compiler knows about a part's markup. */
export type Syntax = 'xml' | 'html' | 'markdown' | 'csv' | 'text'

/** One text of a template that may carry tags. */
export interface TemplatePart {
  readonly name: string // 'word/document.xml'; for a single-file format the format id
  readonly syntax: Syntax
  readonly text: string
}

/** A container opened for merging. Immutable: one opened package serves many renders at once. */
export interface TemplatePackage {
  readonly format: FormatId
  readonly parts: readonly TemplatePart[]
  /** Starts one output. Entries that are not written are copied as they are stored, without inflating them. */
  begin(): PackageWriter
}

/** Writes one output package. Parts may be written in any order; each is compressed as it grows. */
export interface PackageWriter {
  part(name: string): PartWriter
  add(name: string, bytes: Uint8Array): void // a new entry (picture, relationship part)
  remove(name: string): void
  finish(): ByteSource
}

export interface PartWriter {
  text(chunk: string): void
  /** Bytes that were encoded ahead of time: the unchanging stretches between tags. */
  bytes(chunk: Uint8Array): void
  end(): void
}
