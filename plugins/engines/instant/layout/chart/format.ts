/**
 * Number formats of charts: digits, groups, percent, scaling commas, exponents, dates and times, literal
 * text, and one section each for positive, negative and zero values. Source: ECMA-376-1, clause 18.8.31.
 */
export function formatNumber(value: number, format: string | undefined): string {
  if (!Number.isFinite(value)) return ''
  const sections = (format ?? 'General').slice(0, 255).split(/;(?=(?:[^"]*"[^"]*")*[^"]*$)/)
  const own = value < 0 ? sections[1] : value === 0 ? sections[2] : undefined
  const code = (own ?? sections[0] ?? '').replace(
    /\[(?!h+\]|m+\]|s+\])(?:\$([^\]-]*)[^\]]*|[^\]]*)\]/gi,
    (_, money?: string) => (money === undefined ? '' : `"${money}"`),
  )
  // A section for negative values contains its own sign.
  const shown = own !== undefined && value < 0 && sections.length > 1 ? -value : value
  if (/^\s*general\s*$/i.test(code)) return plain(value)
  const bare = code.replace(/"[^"]*"|\\.|_./g, '')
  if (/[ymdhs]/i.test(bare) && !/[0#?]/.test(bare.replace(/\.0+/g, ''))) return dated(shown, code)
  return digitsOf(shown, code)
}

const words = (part: string): string =>
  part.replace(
    /"([^"]*)"|\\(.)|_.|\*./g,
    (_, quoted: string | undefined, one: string | undefined) => quoted ?? one ?? '',
  )

function digitsOf(value: number, code: string): string {
  const found = /^((?:"[^"]*"|\\.|_.|\*.|[^"\\0#?_*])*)([0#?][0#?,]*(?:\.[0#?]*,*)?)(E[+-]?0+)?/i.exec(code)
  if (found === null) return words(code).replace(/general/i, plain(value))
  const [whole, before = '', digits = '', power] = found
  const after = words(code.slice(whole.length))
  const percent = /%/.test(code.replace(/"[^"]*"/g, ''))
  const decimals = /\.([0#?]*)/.exec(digits)?.[1] ?? ''
  const least = decimals.replace(/[#?]/g, '').length
  const integer = digits.replace(/\..*/s, '')
  const scaled = digits.match(/,+$/)?.[0].length ?? 0
  const shown = (percent ? value * 100 : value) / 1000 ** scaled
  const sign = shown < 0 ? '-' : ''
  const size = Math.abs(shown)
  const lead = words(before)
  if (power !== undefined) {
    const [mantissa = '', exponent = '0'] = size.toExponential(Math.min(20, decimals.length)).split('e')
    const number = Number(exponent)
    const plus = number < 0 ? '-' : power.includes('+') ? '+' : ''
    return `${sign}${lead}${mantissa}E${plus}${String(Math.abs(number)).padStart(power.replace(/\D/g, '').length, '0')}${after}`
  }
  const text = new Intl.NumberFormat('en', {
    minimumIntegerDigits: Math.min(21, Math.max(1, integer.replace(/[^0]/g, '').length)),
    minimumFractionDigits: Math.min(20, least),
    maximumFractionDigits: Math.min(20, Math.max(least, decimals.length)),
    useGrouping: integer.replace(/,+$/, '').includes(','),
  }).format(size)
  const none = /^[0.,]*$/.test(text) ? '' : sign
  const trimmed = !integer.includes('0') && text.startsWith('0.') ? text.slice(1) : text
  return `${none}${lead}${trimmed}${after}`
}

export function plain(value: number): string {
  const size = Math.abs(value)
  const text = String(Number(value.toPrecision(15)))
  if (size !== 0 && (size < 1e-9 || size >= 1e15))
    return value
      .toExponential()
      .toUpperCase()
      .replace(/E([+-])(\d)$/, 'E$10$2')
  return text
}

const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]
const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

/** Day 0 of the serial dates of workbooks. */
export const dayOf = (serial: number): Date => new Date(Math.round((serial - 25_569) * 86_400_000))

function dated(value: number, code: string): string {
  if (!(value > -1e6 && value < 3e6)) return plain(value)
  const date = dayOf(value)
  const half = /am\/pm|a\/p/i.test(code)
  const hour = date.getUTCHours()
  const pad = (number: number, width: number): string => String(number).padStart(width, '0')
  let clock = false
  return code.replace(
    /"([^"]*)"|\\(.)|_.|\*.|am\/pm|a\/p|\[(?:h+|m+|s+)\]|y+|m+|d+|h+|s+(?:\.0+)?/gi,
    (token, quoted: string | undefined, one: string | undefined, at: number) => {
      if (quoted !== undefined) return quoted
      if (one !== undefined) return one
      const letter = token.charAt(0).toLowerCase()
      if (letter === 'a') return hour < 12 ? 'AM' : 'PM'
      if (letter === '[')
        return String(Math.floor(value * (token.charAt(1).toLowerCase() === 'h' ? 24 : 1440)))
      if (letter === 'y')
        return token.length > 2 ? String(date.getUTCFullYear()) : pad(date.getUTCFullYear() % 100, 2)
      if (letter === 'd') {
        if (token.length > 2) return (days[date.getUTCDay()] ?? '').slice(0, token.length === 3 ? 3 : 9)
        return pad(date.getUTCDate(), token.length)
      }
      if (letter === 'h') {
        clock = true
        return pad(half ? hour % 12 || 12 : hour, token.length)
      }
      if (letter === 's') return pad(date.getUTCSeconds(), Math.min(2, token.length))
      if (letter !== 'm') return ''
      // After hours and before seconds, 'm' means minutes.
      if ((clock && token.length < 3) || /^[^a-z]*s/i.test(code.slice(at + token.length))) {
        clock = false
        return pad(date.getUTCMinutes(), token.length)
      }
      const name = months[date.getUTCMonth()] ?? ''
      if (token.length === 5) return name.charAt(0)
      if (token.length > 2) return token.length === 3 ? name.slice(0, 3) : name
      return pad(date.getUTCMonth() + 1, token.length)
    },
  )
}
