import type { XmlCursor } from '../../../../shared/document/xml-cursor.ts'

/** An equation as one line of text: (a)/(b), x^(2), x_(i), √(x). The cursor stands on it. */
export function mathText(cursor: XmlCursor): string {
  let text = ''
  cursor.each((name) => {
    text += element(cursor, name)
  })
  return text
}

function element(cursor: XmlCursor, name: string): string {
  switch (name) {
    case 'm:r': {
      let run = ''
      cursor.each((part) => {
        if (part === 'm:t') run += cursor.text()
      })
      return run
    }
    case 'm:f': {
      const part = parts(cursor)
      return `${grouped(part('m:num'))}/${grouped(part('m:den'))}`
    }
    case 'm:sSup': {
      const part = parts(cursor)
      return `${part('m:e')}^${grouped(part('m:sup'))}`
    }
    case 'm:sSub': {
      const part = parts(cursor)
      return `${part('m:e')}_${grouped(part('m:sub'))}`
    }
    case 'm:sSubSup': {
      const part = parts(cursor)
      return `${part('m:e')}_${grouped(part('m:sub'))}^${grouped(part('m:sup'))}`
    }
    case 'm:rad': {
      const part = parts(cursor)
      return `${part('m:deg')}√${grouped(part('m:e'))}`
    }
    case 'm:nary': {
      let sign = '∫'
      const found = new Map<string, string>()
      cursor.each((child) => {
        if (child === 'm:naryPr') {
          cursor.each((property) => {
            if (property === 'm:chr') sign = cursor.attribute('m:val') ?? sign
          })
        } else found.set(child, mathText(cursor))
      })
      const sub = found.get('m:sub') ?? ''
      const sup = found.get('m:sup') ?? ''
      return `${sign}${sub === '' ? '' : `_${grouped(sub)}`}${sup === '' ? '' : `^${grouped(sup)}`} ${found.get('m:e') ?? ''}`
    }
    case 'm:d': {
      let open = '('
      let close = ')'
      const inner: string[] = []
      cursor.each((child) => {
        if (child === 'm:dPr') {
          cursor.each((property) => {
            if (property === 'm:begChr') open = cursor.attribute('m:val') ?? ''
            else if (property === 'm:endChr') close = cursor.attribute('m:val') ?? ''
          })
        } else if (child === 'm:e') inner.push(mathText(cursor))
      })
      return open + inner.join('|') + close
    }
    default:
      return name.endsWith('Pr') ? '' : mathText(cursor)
  }
}

function parts(cursor: XmlCursor): (name: string) => string {
  const found = new Map<string, string>()
  cursor.each((child) => {
    found.set(child, mathText(cursor))
  })
  return (name) => found.get(name) ?? ''
}

const grouped = (text: string): string => (text.length === 1 ? text : `(${text})`)
