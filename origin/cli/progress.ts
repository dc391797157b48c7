const width = 30

/** A bar for work of `total` parts of which `finished` are done, followed by a text. */
export function progressBar(finished: number, total: number, text = ''): string {
  const filled = Math.round((finished / total) * width)
  return `${'█'.repeat(filled)}${'░'.repeat(width - filled)} ${finished}/${total} ${text}`
}

/** Shows the progress of work of several parts in one line that is overwritten, on a terminal only. */
export function showProgress(finished: number, total: number, text = ''): void {
  if (total < 2 || !process.stderr.isTTY) return
  process.stderr.write(`\r\x1b[K${progressBar(finished, total, text)}${finished === total ? '\n' : ''}`)
}

/** Clears the progress line before a message is printed. */
export function clearProgress(): void {
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K')
}
