/** Extracts the lines of text, without formatting, from embedded documents in other formats (w:altChunk). */

import { entryOf } from '../../../../shared/entry-of.ts'
import { tokenizeHtml } from '../../../../shared/template/html/tokenize.ts'
import { decodeText } from '../../../../shared/text-encoding.ts'

const utf8 = new TextDecoder()

/**
 * Returns the lines of text of HTML, MHTML, RTF or plain text; undefined for other kinds. `name` is the part
 * name, whose extension identifies plain text.
 */
export function chunkText(bytes: Uint8Array, name: string): readonly string[] | undefined {
  const start = utf8.decode(bytes.subarray(0, 1_024)).trimStart()
  if (start.startsWith('{\\rtf')) return rtfText(new TextDecoder('windows-1252').decode(bytes))
  if (/^(?:MIME-Version|Content-Type|From):/im.test(start)) {
    const part = webPart(new TextDecoder('latin1').decode(bytes))
    return part === undefined ? undefined : htmlText(part)
  }
  const text = decodeText(bytes)
  if (beginsWithTag(text)) return htmlText(text)
  return /\.(?:txt|text)$/i.test(name) ? text.split(/\r\n?|\n/) : undefined
}

/** Whether the text begins as a page or a fragment of one does: with a tag, a document type or an XML declaration. */
function beginsWithTag(text: string): boolean {
  const start = text.trimStart()
  return start[0] === '<' && /^(?:!doctype html|\?xml|[a-z][\w:]*[\s/>])/i.test(start.slice(1, 40))
}

/** Elements that begin and end a line of text. */
const blocks = new Set(
  'p div h1 h2 h3 h4 h5 h6 ul ol dl dt dd table tr blockquote pre section article header footer hr br title'.split(
    ' ',
  ),
)
/** Elements whose content is not text of the page. */
const unshown = new Set(['script', 'style', 'head', 'template'])

/** Reduces HTML to its non-empty lines of text. */
function htmlText(html: string): string[] {
  let text = ''
  /** The element around whose content is not shown; '' outside of any. */
  let hidden = ''
  tokenizeHtml(html, {
    onStartTag({ tagName }) {
      if (hidden !== '') return
      if (unshown.has(tagName)) hidden = tagName
      else if (tagName === 'li') text += '\n• '
      else if (blocks.has(tagName)) text += '\n'
    },
    onEndTag({ tagName }) {
      if (tagName === hidden) hidden = ''
      else if (hidden !== '') return
      else if (tagName === 'td' || tagName === 'th') text += '\t'
      else if (tagName === 'li' || blocks.has(tagName)) text += '\n'
    },
    onText(characters) {
      if (hidden === '') text += characters.replace(/[ \t\n\f\r]+/g, ' ')
    },
  })
  return text
    .split('\n')
    .map((line) => line.replace(/^[ \t]+|[ \t]+$/g, ''))
    .filter((line) => line !== '')
}

/** Returns the HTML part of an MHTML message, decoded (RFC 2045, RFC 2557); undefined when there is none. */
function webPart(message: string): string | undefined {
  const [head = '', ...rest] = message.split(/\r?\n\r?\n/)
  const boundary = /boundary="?([^";\s]+)"?/i.exec(head)?.[1]
  if (boundary === undefined) return bodyOf(head, rest.join('\n\n'))
  for (const part of message.split(`--${boundary}`).slice(1)) {
    const blankLine = /\r?\n\r?\n/.exec(part)
    if (blankLine === null || !/content-type:\s*text\/html/i.test(part.slice(0, blankLine.index))) continue
    return bodyOf(part.slice(0, blankLine.index), part.slice(blankLine.index + blankLine[0].length))
  }
  return undefined
}

/** Decodes a message body by the transfer encoding and character set in its header. */
function bodyOf(head: string, body: string): string {
  const encoding = /content-transfer-encoding:\s*([\w-]+)/i.exec(head)?.[1]?.toLowerCase()
  const bytes = Uint8Array.from(decodedBody(body, encoding), (letter) => letter.charCodeAt(0) & 0xff)
  const charset = /charset="?([\w-]+)"?/i.exec(head)?.[1] ?? 'utf-8'
  try {
    return new TextDecoder(charset).decode(bytes)
  } catch {
    return utf8.decode(bytes)
  }
}

/**
 * Undoes the transfer encoding of a body (RFC 2045, 6.7 and 6.8); each character of the result is one byte.
 */
function decodedBody(body: string, encoding: string | undefined): string {
  if (encoding === 'quoted-printable')
    return body
      .replace(/=\r?\n/g, '')
      .replace(/=([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  if (encoding !== 'base64') return body
  try {
    return atob(body.replace(/[^A-Za-z0-9+/=]/g, ''))
  } catch {
    return ''
  }
}

/** Control words that begin a group without body text, called destinations. */
const hiddenDestinations =
  /^(?:fonttbl|colortbl|stylesheet|info|pict|object|header|footer|generator|listtable|listoverridetable|rsidtbl|themedata|datastore|fldinst)/
/** Control words of RTF for single characters. */
const controlCharacters: Readonly<Record<string, string>> = {
  ...{ par: '\n', sect: '\n', row: '\n', line: '\n', tab: '\t', cell: '\t', emdash: '—', endash: '–' },
  ...{ bullet: '•', lquote: '‘', rquote: '’', ldblquote: '“', rdblquote: '”' },
}
/** Maximum nesting of groups; text after a deeper one is dropped. */
const maxGroups = 1_000

/** Extracts the non-empty lines of text from RTF. Source: Rich Text Format specification 1.9.1. */
function rtfText(rtf: string): string[] {
  const tokens =
    /\\(?<word>[a-z]+)(?<value>-?\d+)? ?|\\'(?<hex>[\da-f]{2})|\\(?<symbol>[^a-z'])|(?<brace>[{}])|(?<plain>[^\\{}\r\n]+)/gi
  const decoder = new TextDecoder('windows-1252')
  /** For each open group, and for what is outside of all, whether its text is hidden. */
  const hidden: boolean[] = [false]
  /** Whether a \u control word precedes: the next character is the fallback of readers without Unicode. */
  let isFallback = false
  let text = ''
  for (const { groups = {} } of rtf.matchAll(tokens)) {
    const token = groups as RtfToken
    if (token.brace === '{' && hidden.length > maxGroups) return text.split('\n')
    followGroups(hidden, token)
    if (hidden.at(-1) === true) continue
    const { word, value, hex, symbol, plain } = token
    if (word === 'u' && value !== undefined) {
      text += String.fromCharCode(Number(value) & 0xffff)
      isFallback = true
    } else if (word !== undefined) {
      text += entryOf(controlCharacters, word) ?? ''
    } else if (hex !== undefined) {
      if (!isFallback) text += decoder.decode(new Uint8Array([Number.parseInt(hex, 16)]))
      isFallback = false
    } else if (symbol !== undefined) {
      text += controlSymbol(symbol)
    } else if (plain !== undefined) {
      text += isFallback ? plain.slice(1) : plain
      isFallback = false
    }
  }
  return text.split('\n').filter((line) => line.trim() !== '')
}

type RtfToken = Partial<Record<'word' | 'value' | 'hex' | 'symbol' | 'brace' | 'plain', string>>

/** Opens and closes groups, and hides the rest of one in which a hidden destination begins. */
function followGroups(hidden: boolean[], { word, symbol, brace }: RtfToken): void {
  if (brace === '{') hidden.push(hidden.at(-1) === true)
  else if (brace === '}') {
    if (hidden.length > 1) hidden.pop()
  } else if (symbol === '*' || (word !== undefined && hiddenDestinations.test(word)))
    hidden[hidden.length - 1] = true
}

/** The text of a backslash with a character that is no letter: escaped characters, the no-break space and two hyphens. */
function controlSymbol(symbol: string): string {
  if (symbol === '~') return '\u00a0'
  return symbol === '-' || symbol === '_' ? '' : symbol
}
