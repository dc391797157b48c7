/**
 * The known name nearest to a misspelt one, if one is near. Letter case weighs little, so `upercase` finds
 * `upperCase`. Of equally near names the first is given.
 */
export function nearestName(name: string, candidates: Iterable<string>): string | undefined {
  if (name.length > 40) return undefined
  const maxDistance = Math.max(1, Math.floor(name.length / 3))
  let best: string | undefined
  let bestDistance = maxDistance + 1
  for (const candidate of candidates) {
    const distance =
      editDistance(name.toLowerCase(), candidate.toLowerCase()) + (sameStart(name, candidate) ? 0 : 0.1)
    if (distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

const sameStart = (a: string, b: string): boolean => a.slice(0, 2) === b.slice(0, 2)

/** Insertions, deletions, replacements and swaps of neighbours that turn one text into the other. */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      let cost = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, (beforeLast[j - 2] ?? 0) + 1)
      }
      row.push(cost)
    }
    beforeLast = last
    last = row
  }
  return last[b.length] ?? 0
}
