import type { MathNode, MathText } from '../../document/math.ts'
import { entryOf } from '../../entry-of.ts'
import type { XmlCursor } from '../../xml/cursor.ts'

/**
 * Reads an equation (m:oMath, ECMA-376-1 22.1.2.77). The cursor stands on m:oMath or on any element with the
 * same content, such as m:e or m:num.
 */
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

/** The properties of a math object (children of m:fPr, m:naryPr ...) by name, and its arguments in order. */
interface MathParts {
  readonly properties: ReadonlyMap<string, string>
  readonly arguments: readonly { readonly name: string; readonly node: MathNode }[]
}

/**
 * Collects properties and arguments of the current object. Rows of a matrix (m:mr) become one argument each.
 */
function readParts(cursor: XmlCursor): MathParts {
  const properties = new Map<string, string>()
  const children: { name: string; node: MathNode }[] = []
  cursor.each((child) => {
    if (child.endsWith('Pr')) {
      cursor.each((property) => {
        properties.set(property, cursor.attribute('m:val') ?? 'on')
      })
    } else if (child === 'm:mr')
      children.push({ name: child, node: { kind: 'row', items: readArguments(cursor) } })
    else children.push({ name: child, node: readMath(cursor) })
  })
  return { properties, arguments: children }
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

/**
 * Reads one child of an equation. Property elements give nothing; unknown elements are read as a row of their
 * content.
 */
function readElement(cursor: XmlCursor, name: string): MathNode | undefined {
  if (name === 'm:r') return readRun(cursor)
  if (name.endsWith('Pr')) return undefined
  const make = entryOf(objects, name)
  if (make === undefined) return readMath(cursor)
  const parts = readParts(cursor)
  const get = (child: string): MathNode | undefined =>
    parts.arguments.find((argument) => argument.name === child)?.node
  return make({
    parts,
    property: (key) => parts.properties.get(key),
    need: (element) => get(element) ?? { kind: 'row', items: [] },
    optional: (inner) => {
      const node = get(inner)
      return node === undefined || isEmpty(node) ? undefined : node
    },
    all: (partElement) =>
      parts.arguments.filter((argument) => argument.name === partElement).map(({ node }) => node),
  })
}

/**
 * Access to the parts of an object: `property` by name, `need` an argument or an empty row, `maybe` an
 * argument unless it is missing or empty, `all` arguments of a name.
 */
interface Source {
  readonly parts: MathParts
  property(key: string): string | undefined
  need(child: string): MathNode
  optional(child: string): MathNode | undefined
  all(child: string): MathNode[]
}

/** ST_FType (22.1.3); other types have a horizontal bar. */
const fractionBars: Readonly<Record<string, 'none' | 'slanted'>> = {
  noBar: 'none',
  skw: 'slanted',
}
/** Integral signs, U+222B to U+2233, whose limits are beside the sign by default. */
const integrals = /[∫-∳]/u

/** How each math object is read. Defaults of absent properties follow 22.1.2. */
const objects: Readonly<Record<string, (source: Source) => MathNode>> = {
  'm:f': ({ need, property }) => {
    const [above, below] = [need('m:num'), need('m:den')]
    const type = property('m:type') ?? ''
    if (type === 'lin') return { kind: 'row', items: [above, slash, below] }
    return { kind: 'fraction', above, below, bar: entryOf(fractionBars, type) ?? 'line' }
  },
  'm:sSup': ({ need, optional }) => ({
    kind: 'scripts',
    base: need('m:e'),
    ...compact({ sup: optional('m:sup') }),
  }),
  'm:sSub': ({ need, optional }) => ({
    kind: 'scripts',
    base: need('m:e'),
    ...compact({ sub: optional('m:sub') }),
  }),
  'm:sSubSup': (source) => bothScripts(source, false),
  'm:sPre': (source) => bothScripts(source, true),
  'm:rad': ({ need, optional, property }) => ({
    kind: 'root',
    inside: need('m:e'),
    ...compact({ degree: isOn(property('m:degHide')) ? undefined : optional('m:deg') }),
  }),
  'm:nary': ({ need, optional, property }) => {
    const sign = property('m:chr') ?? '∫'
    const limitPosition = property('m:limLoc') ?? (integrals.test(sign) ? 'subSup' : 'undOvr')
    return {
      kind: 'operator',
      sign: sign === 'on' ? '' : sign,
      body: need('m:e'),
      limits: limitPosition === 'undOvr' ? 'around' : 'beside',
      ...compact({
        sub: isOn(property('m:subHide')) ? undefined : optional('m:sub'),
        sup: isOn(property('m:supHide')) ? undefined : optional('m:sup'),
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
  'm:limLow': ({ need, optional }) => ({
    kind: 'limits',
    base: need('m:e'),
    ...compact({ under: optional('m:lim') }),
  }),
  'm:limUpp': ({ need, optional }) => ({
    kind: 'limits',
    base: need('m:e'),
    ...compact({ over: optional('m:lim') }),
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

const bothScripts = ({ need, optional }: Source, before: boolean): MathNode => ({
  kind: 'scripts',
  base: need('m:e'),
  ...compact({ sub: optional('m:sub'), sup: optional('m:sup') }),
  ...(before && { before }),
})

/**
 * The character in m:chr and the like: the default when the property is absent, and none when it is present
 * without a value.
 */
const sign = (value: string | undefined, fallback: string): string =>
  value === undefined ? fallback : value === 'on' ? '' : value

/** Drops the arguments that are undefined. */
const compact = <T extends Record<string, MathNode | undefined>>(parts: T): { [Key in keyof T]?: MathNode } =>
  Object.fromEntries(Object.entries(parts).filter(([, node]) => node !== undefined)) as {
    [Key in keyof T]?: MathNode
  }

/** m:r (22.1.2.87): text and its style. Normal text and the styles p and b are not italic. */
function readRun(cursor: XmlCursor): MathNode {
  let text = ''
  let roman = false
  let bold = false
  cursor.each((child) => {
    if (child === 'm:t' || child === 'w:t') text += cursor.text()
    else if (child === 'm:rPr') {
      cursor.each((property) => {
        const value = cursor.attribute('m:val')
        if (property === 'm:nor') roman = true
        if (property !== 'm:sty') return
        if (value === 'p' || value === 'b') roman = true
        if (value === 'b' || value === 'bi') bold = true
      })
    }
  })
  return { kind: 'text', text, style: roman ? (bold ? 'bold' : 'plain') : bold ? 'bold-math' : 'math' }
}
