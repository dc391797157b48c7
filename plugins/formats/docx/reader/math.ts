import type { MathNode, MathText } from '../../../../shared/document/math.ts'
import type { XmlCursor } from '../../../../shared/document/xml-cursor.ts'

/** An equation (m:oMath, 22.1.2.77). The cursor stands on the element whose content it is. */
export function readMath(cursor: XmlCursor): MathNode {
  const items: MathNode[] = []
  cursor.each((name) => {
    const node = readElement(cursor, name)
    if (node !== undefined) items.push(node)
  })
  return rowOf(items)
}

const rowOf = (items: readonly MathNode[]): MathNode =>
  items.length === 1 ? items[0]! : { kind: 'row', items }

/** What an object says about itself (m:fPr ...) by name, and its arguments in order by name. */
interface Parts {
  readonly properties: ReadonlyMap<string, string>
  readonly arguments: readonly { readonly name: string; readonly node: MathNode }[]
}

function readParts(cursor: XmlCursor): Parts {
  const properties = new Map<string, string>()
  const found: { name: string; node: MathNode }[] = []
  cursor.each((child) => {
    if (child.endsWith('Pr')) {
      cursor.each((property) => {
        properties.set(property, cursor.attribute('m:val') ?? 'on')
      })
    } else if (child === 'm:mr')
      found.push({ name: child, node: { kind: 'row', items: readArguments(cursor) } })
    else found.push({ name: child, node: readMath(cursor) })
  })
  return { properties, arguments: found }
}

function readArguments(cursor: XmlCursor): MathNode[] {
  const items: MathNode[] = []
  cursor.each((child) => {
    if (child === 'm:e') items.push(readMath(cursor))
  })
  return items
}

const isOn = (value: string | undefined): boolean =>
  value !== undefined && value !== '0' && value !== 'off' && value !== 'false'
const isEmpty = (node: MathNode): boolean =>
  node.kind === 'row' ? node.items.every(isEmpty) : node.kind === 'text' && node.text === ''

function readElement(cursor: XmlCursor, name: string): MathNode | undefined {
  if (name === 'm:r') return readRun(cursor)
  if (name.endsWith('Pr')) return undefined
  const make = objects[name]
  if (make === undefined) return readMath(cursor)
  const parts = readParts(cursor)
  const get = (part: string): MathNode | undefined => parts.arguments.find((one) => one.name === part)?.node
  return make({
    parts,
    property: (key) => parts.properties.get(key),
    need: (part) => get(part) ?? { kind: 'row', items: [] },
    maybe: (part) => {
      const node = get(part)
      return node === undefined || isEmpty(node) ? undefined : node
    },
    all: (part) => parts.arguments.filter((one) => one.name === part).map(({ node }) => node),
  })
}

interface Source {
  readonly parts: Parts
  property(key: string): string | undefined
  need(part: string): MathNode
  maybe(part: string): MathNode | undefined
  all(part: string): MathNode[]
}

const fractionBars: Readonly<Record<string, 'none' | 'slanted'>> = {
  noBar: 'none',
  skw: 'slanted',
}
const integrals = /[∫-∳]/u

const objects: Readonly<Record<string, (source: Source) => MathNode>> = {
  'm:f': ({ need, property }) => {
    const [above, below] = [need('m:num'), need('m:den')]
    const type = property('m:type') ?? ''
    if (type === 'lin') return { kind: 'row', items: [above, slash, below] }
    return { kind: 'fraction', above, below, bar: fractionBars[type] ?? 'line' }
  },
  'm:sSup': ({ need, maybe }) => ({
    kind: 'scripts',
    base: need('m:e'),
    ...compact({ sup: maybe('m:sup') }),
  }),
  'm:sSub': ({ need, maybe }) => ({
    kind: 'scripts',
    base: need('m:e'),
    ...compact({ sub: maybe('m:sub') }),
  }),
  'm:sSubSup': (source) => bothScripts(source, false),
  'm:sPre': (source) => bothScripts(source, true),
  'm:rad': ({ need, maybe, property }) => ({
    kind: 'root',
    inside: need('m:e'),
    ...compact({ degree: isOn(property('m:degHide')) ? undefined : maybe('m:deg') }),
  }),
  'm:nary': ({ need, maybe, property }) => {
    const sign = property('m:chr') ?? '∫'
    const place = property('m:limLoc') ?? (integrals.test(sign) ? 'subSup' : 'undOvr')
    return {
      kind: 'operator',
      sign: sign === 'on' ? '' : sign,
      body: need('m:e'),
      limits: place === 'undOvr' ? 'around' : 'beside',
      ...compact({
        sub: isOn(property('m:subHide')) ? undefined : maybe('m:sub'),
        sup: isOn(property('m:supHide')) ? undefined : maybe('m:sup'),
      }),
    }
  },
  'm:d': ({ property, all }) => ({
    kind: 'fence',
    open: sign(property('m:begChr'), '('),
    close: sign(property('m:endChr'), ')'),
    between: sign(property('m:sepChr'), '|'),
    items: all('m:e'),
  }),
  'm:m': ({ all }) => ({
    kind: 'table',
    rows: all('m:mr').map((row) => (row.kind === 'row' ? row.items : [row])),
    align: 'center',
  }),
  'm:eqArr': ({ all }) => ({ kind: 'table', rows: all('m:e').map((row) => [row]), align: 'left' }),
  'm:limLow': ({ need, maybe }) => ({
    kind: 'limits',
    base: need('m:e'),
    ...compact({ under: maybe('m:lim') }),
  }),
  'm:limUpp': ({ need, maybe }) => ({
    kind: 'limits',
    base: need('m:e'),
    ...compact({ over: maybe('m:lim') }),
  }),
  'm:acc': ({ need, property }) => ({
    kind: 'accent',
    base: need('m:e'),
    sign: sign(property('m:chr'), '\u0302'),
    at: 'above',
  }),
  'm:bar': ({ need, property }) => {
    const above = property('m:pos') === 'top'
    return { kind: 'accent', base: need('m:e'), sign: '\u00af', at: above ? 'above' : 'below' }
  },
  'm:groupChr': ({ need, property }) => {
    const above = property('m:pos') === 'top'
    return {
      kind: 'accent',
      base: need('m:e'),
      sign: sign(property('m:chr'), '\u23df'),
      at: above ? 'above' : 'below',
    }
  },
  'm:borderBox': ({ need, property }) => {
    const sides = ['m:hideTop', 'm:hideBot', 'm:hideLeft', 'm:hideRight']
    return sides.every((side) => isOn(property(side))) ? need('m:e') : { kind: 'framed', base: need('m:e') }
  },
  'm:phant': ({ need, property }) =>
    isOn(property('m:show') ?? '0') ? need('m:e') : { kind: 'row', items: [] },
  'm:func': ({ need }) => ({ kind: 'row', items: [need('m:fName'), thinSpace, need('m:e')] }),
}

const slash: MathText = { kind: 'text', text: '/', style: 'plain' }
const thinSpace: MathText = { kind: 'text', text: '\u2009', style: 'plain' }

const bothScripts = ({ need, maybe }: Source, before: boolean): MathNode => ({
  kind: 'scripts',
  base: need('m:e'),
  ...compact({ sub: maybe('m:sub'), sup: maybe('m:sup') }),
  ...(before && { before }),
})

/** A sign that was set, to nothing perhaps, or the usual one. */
const sign = (value: string | undefined, usual: string): string =>
  value === undefined ? usual : value === 'on' ? '' : value

const compact = <T extends Record<string, MathNode | undefined>>(parts: T): { [Key in keyof T]?: MathNode } =>
  Object.fromEntries(Object.entries(parts).filter(([, node]) => node !== undefined)) as {
    [Key in keyof T]?: MathNode
  }

function readRun(cursor: XmlCursor): MathNode {
  let text = ''
  let upright = false
  let bold = false
  cursor.each((part) => {
    if (part === 'm:t' || part === 'w:t') text += cursor.text()
    else if (part === 'm:rPr') {
      cursor.each((property) => {
        const value = cursor.attribute('m:val')
        if (property === 'm:nor') upright = true
        if (property !== 'm:sty') return
        if (value === 'p' || value === 'b') upright = true
        if (value === 'b' || value === 'bi') bold = true
      })
    }
  })
  return { kind: 'text', text, style: upright ? (bold ? 'bold' : 'plain') : bold ? 'bold-math' : 'math' }
}
