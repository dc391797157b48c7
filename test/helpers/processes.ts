import { readdirSync, readFileSync } from 'node:fs'

/** Processes below one, itself included, as `/proc` lists them. Their command lines are words joined by blanks. */
export function processesBelow(root: number): readonly { readonly pid: number; readonly args: string }[] {
  const rows = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        // The name in parentheses may hold blanks and parentheses itself; the parent is the second field behind it.
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
        const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
        const args = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
        return [{ pid: Number(name), parent, args }]
      } catch {
        return [] // It has ended meanwhile.
      }
    })
  const below = new Set([root])
  for (let before = 0; before !== below.size; ) {
    before = below.size
    for (const { pid, parent } of rows) if (below.has(parent)) below.add(pid)
  }
  return rows.filter(({ pid }) => below.has(pid))
}
