/**
 * Looks for files that import each other in a circle, imports of types included. Circles at run time are forbidden by
 * `test/boundaries.mjs`. Two or three types that contain each other may stand in as many files; with more, no file
 * can be read without the others.
 *
 *   node test/run/import-circles.ts                fails where a circle of the product has more than three files
 *   node test/run/import-circles.ts <folder ...>   reads these folders instead
 */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const maxFiles = 3

/** For each file, by path, the files that it imports. */
export type Imports = ReadonlyMap<string, readonly string[]>

/** The relative paths after `from`, in `import('…')` and in imports without names. */
const importPath =
  /^(?:import|export)\b(?:[^'"`]*?\bfrom)?\s*'(\.{1,2}\/[^']+)'|\bimport\(\s*'(\.{1,2}\/[^']+)'/gm

/** The imports between the source files below these folders. */
export function importsBelow(folders: readonly string[]): Imports {
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:ts|mjs)$/.test(name) && !/(?:^|\/)node_modules\//.test(name))
      .map((name) => resolve(folder, name)),
  )
  const known = new Set(files)
  return new Map(
    files.map((file) => {
      const found = Array.from(readFileSync(file, 'utf8').matchAll(importPath), ([, named, dynamic = '']) =>
        join(dirname(file), named ?? dynamic),
      )
      return [file, [...new Set(found)].filter((path) => known.has(path))]
    }),
  )
}

/**
 * The circles of more than `max` files: sets in which each file reaches all others (the strongly connected components,
 * by the algorithm of Tarjan).
 */
export function longCircles(imports: Imports, max: number): string[][] {
  const order = new Map<string, number>()
  const open: string[] = []
  const isOpen = new Set<string>()
  const circles: string[][] = []
  /** Returns the earliest open file that `file` reaches, as its number in the order of visits. */
  const visit = (file: string): number => {
    const number = order.size
    let earliest = number
    order.set(file, number)
    open.push(file)
    isOpen.add(file)
    for (const next of imports.get(file) ?? []) {
      const known = order.get(next)
      if (known === undefined) earliest = Math.min(earliest, visit(next))
      else if (isOpen.has(next)) earliest = Math.min(earliest, known)
    }
    if (earliest === number) {
      const circle = open.splice(open.indexOf(file))
      for (const member of circle) isOpen.delete(member)
      if (circle.length > max) circles.push(circle.sort())
    }
    return earliest
  }
  for (const file of imports.keys()) if (!order.has(file)) visit(file)
  return circles
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const given = process.argv.slice(2)
  const folders =
    given.length > 0
      ? given
      : ['client/src', 'shared', 'plugins', 'edge', 'origin'].map((name) => join(root, name))
  const imports = importsBelow(folders)
  const circles = longCircles(imports, maxFiles)
  for (const circle of circles) {
    console.log(
      `${circle.length} files import each other, ${maxFiles} may. Move what they share to a file below them.`,
    )
    for (const file of circle) {
      const inside = (imports.get(file) ?? []).filter((path) => circle.includes(path))
      console.log(
        `  ${relative(root, file)} imports ${inside.map((path) => relative(root, path)).join(', ')}`,
      )
    }
  }
  process.exitCode = circles.length === 0 ? 0 : 1
}
