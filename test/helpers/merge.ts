import { unzipSync } from 'fflate'
import { expect } from 'vitest'
import csv from '../../plugins/formats/csv/index.ts'
import docx from '../../plugins/formats/docx/index.ts'
import html, { xhtml } from '../../plugins/formats/html/index.ts'
import idml from '../../plugins/formats/idml/index.ts'
import json from '../../plugins/formats/json/index.ts'
import md from '../../plugins/formats/md/index.ts'
import odg from '../../plugins/formats/odg/index.ts'
import odp from '../../plugins/formats/odp/index.ts'
import ods from '../../plugins/formats/ods/index.ts'
import odt from '../../plugins/formats/odt/index.ts'
import pptx from '../../plugins/formats/pptx/index.ts'
import svg from '../../plugins/formats/svg/index.ts'
import txt from '../../plugins/formats/txt/index.ts'
import xlsx from '../../plugins/formats/xlsx/index.ts'
import xml, { vocabularies } from '../../plugins/formats/xml/index.ts'
import { AppError } from '../../shared/errors/app-error.ts'
import type { FormatPlugin } from '../../shared/plugin/contract.ts'
import type { Outcome } from '../../shared/plugin/values.ts'
import type { Merged, MergeOptions } from '../../shared/ports/merger.ts'
import { createMergeEngine } from '../../shared/template/merge.ts'
import { codecNode } from './codec-node.ts'
import { keepOutput } from './keep-output.ts'

const formats = new Map<string, FormatPlugin>(
  [
    docx,
    odt,
    xlsx,
    pptx,
    ods,
    odp,
    odg,
    idml,
    svg,
    xhtml,
    html,
    ...vocabularies,
    xml,
    md,
    txt,
    csv,
    json,
  ].map((format) => [format.id, format]),
)
export const formatOf = (id: string): FormatPlugin | undefined => formats.get(id)

/** One engine for all tests; templates without a hash are compiled each time. */
export const engine = createMergeEngine({ codec: codecNode, formats: formatOf })

export const defaultOptions: MergeOptions = {
  lang: 'en-us',
  timezone: 'Europe/Paris',
  now: Date.UTC(2024, 0, 2, 3, 4, 5),
  languageLevel: 5,
}

export async function mergeBytes(
  bytes: Uint8Array,
  format: string,
  data: unknown,
  options: Partial<MergeOptions> = {},
): Promise<Outcome<Merged>> {
  const outcome = await engine.merge({
    template: { hash: '', bytes, format },
    data: { value: data },
    options: { ...defaultOptions, ...options },
  })
  await keepOutput(outcome.value.document, format)
  return outcome
}

/**
 * The parts of a package that differ from those of its template, an element a line, without the lines at the start and the end
 * that are as before; parts that went are named.
 */
export function changedParts(template: Uint8Array, made: Uint8Array): string {
  const [before, after] = [unzipSync(template), unzipSync(made)]
  const lines = (part: Uint8Array | undefined) =>
    new TextDecoder().decode(part).trim().replaceAll(/>\s*</g, '>\n<').split('\n')
  const gone = Object.keys(before).filter((name) => after[name] === undefined)
  const changed = Object.entries(after).flatMap(([name, part]) => {
    const [old, now] = [lines(before[name]), lines(part)]
    const differs = (line: string, at: number) => line !== old[at]
    const first = now.findIndex(differs)
    if (first < 0 && now.length === old.length) return []
    const start = first < 0 ? now.length : first
    let same = 0
    while (same < now.length - start && now.at(-1 - same) === old.at(-1 - same)) same++
    return [`## ${name}\n${now.slice(start, now.length - same).join('\n')}\n`]
  })
  return [...gone.map((name) => `## ${name} is gone\n`), ...changed].join('\n')
}

export async function mergeText(
  template: string,
  data: unknown,
  options: Partial<MergeOptions> & { format?: string } = {},
): Promise<string> {
  const { format = 'xml', ...rest } = options
  const { value } = await mergeBytes(new TextEncoder().encode(template), format, data, rest)
  return new TextDecoder().decode(new Uint8Array(await value.document.arrayBuffer()))
}

/** Merges and compares. */
export async function check(
  template: string,
  data: unknown,
  expected: string,
  options: Parameters<typeof mergeText>[2] = {},
): Promise<void> {
  expect(await mergeText(template, data, options)).toBe(expected)
}

/** The error that a promise is rejected with. */
export async function failure(promise: Promise<unknown>): Promise<AppError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(AppError)
  return error as AppError
}
