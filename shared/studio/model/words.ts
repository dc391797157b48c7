/** Formats figures as text for people. */
export function sizeText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  const steps = ['kB', 'MB', 'GB']
  let value = bytes / 1000
  let step = 0
  while (value >= 999.5 && step < steps.length - 1) {
    value /= 1000
    step++
  }
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${steps[step]}`
}

/** The time for today, otherwise the date. `seconds` is UTC; 0 means never. */
export function dateText(seconds: number, now = Date.now(), locale?: string): string {
  if (seconds === 0) return ''
  const date = new Date(seconds * 1000)
  const sameDay = new Date(now).toDateString() === date.toDateString()
  return sameDay
    ? date.toLocaleTimeString(locale, { hour: '2-digit', minute: '2-digit' })
    : date.toLocaleDateString(locale, { year: 'numeric', month: 'short', day: 'numeric' })
}

export function durationText(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`
}

export function pagesText(count: number): string {
  return count === 1 ? '1 page' : `${count} pages`
}
