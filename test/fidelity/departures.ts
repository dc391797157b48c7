/**
 * The documents of which LibreOffice prints something else than Word, by rules that are known. For each such rule,
 * `departures/<rule>.json` names the documents; the rule itself, in `compat/`, says what both print. These documents are
 * measured without the rule: they count as right only when nothing but the rule keeps them from LibreOffice's pages. A document
 * that no file names and that is outside the bars is tried without each of the rules, and without all of them.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { libreOffice } from '../../plugins/engines/instant/compat/libreoffice.ts'
import { word } from '../../plugins/engines/instant/compat/word.ts'
import { without } from '../plugins/engines/instant/compat/without.ts'

const folder = new URL('departures/', import.meta.url)
const ending = '.json'

/** The rules of each document, by its file name. */
const departures = new Map<string, string[]>()
for (const file of readdirSync(folder).filter((name) => name.endsWith(ending))) {
  const { documents } = JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as { documents: string[] }
  const rule = file.slice(0, -ending.length)
  for (const document of documents) departures.set(document, [...(departures.get(document) ?? []), rule])
}

/** The sets of rules that may explain the pages of a document that no file names: each rule alone, then all. */
export function possibleDepartures(): readonly (readonly string[])[] {
  const rules = readdirSync(folder)
    .filter((name) => name.endsWith(ending))
    .map((file) => file.slice(0, -ending.length))
    .sort()
  return [...rules.map((rule) => [rule]), rules]
}

/** The rules by which LibreOffice's pages of a document differ from Word's. */
export const departureOf = (document: string): readonly string[] => departures.get(document) ?? []

/** Does `work` while rules of `compat/` are switched off. Throws for a rule that does not exist. */
export async function withoutRules<T>(rules: readonly string[], work: () => Promise<T>): Promise<T> {
  const kept: [Record<string, unknown>, string, unknown][] = []
  try {
    for (const rule of rules) {
      const owner: Record<string, unknown> | undefined = [word, libreOffice].find((all) => rule in all)
      if (owner === undefined) throw new Error(`There is no rule ${rule}.`)
      kept.push([owner, rule, owner[rule]])
      owner[rule] = without(rule, owner[rule])
    }
    return await work()
  } finally {
    for (const [owner, rule, value] of kept) owner[rule] = value
  }
}
