/** Checks the elements of an invoice against the published schema of its syntax: names, order, counts and the form of values. */
import { entryOf } from '../../entry-of.ts'
import { parseDecimal } from '../decimal.ts'
import type { InvoiceProblem } from '../problem.ts'
import type { InvoiceElement } from '../read-xml.ts'

/** Type -> its children in their order, such as 'ram:ID* ram:Name? ram:PostalTradeAddress:TradeAddress?'. */
export type Structure = Readonly<Record<string, string>>

interface Child {
  readonly name: string
  /** A type of the structure, or a form of `leafChecks`; '' for text. */
  readonly type: string
  readonly min: number
  readonly max: number
  readonly position: number
}

const parsed = new WeakMap<Structure, Map<string, ReadonlyMap<string, Child>>>()

const counts: Readonly<Record<string, readonly [least: number, most: number]>> = {
  '?': [0, 1],
  '*': [0, Number.POSITIVE_INFINITY],
  '+': [1, Number.POSITIVE_INFINITY],
  '{0,2}': [0, 2],
  '{1,2}': [1, 2],
  '': [1, 1],
}

function childrenOf(structure: Structure, type: string): ReadonlyMap<string, Child> | undefined {
  const text = entryOf(structure, type)
  if (text === undefined) return undefined
  const cached = parsed.get(structure) ?? new Map<string, ReadonlyMap<string, Child>>()
  parsed.set(structure, cached)
  let children = cached.get(type)
  if (children === undefined) {
    children = new Map(
      text.split(' ').flatMap((token, position) => {
        const [, name = '', kind = '', count = ''] =
          /^(\w+:\w+)(?::(\w+))?([?*+]|\{\d,\d\})?$/.exec(token) ?? []
        const [min, max] = entryOf(counts, count) ?? [1, 1]
        return name === '' ? [] : [[name, { name, type: kind, min, max, position }] as const]
      }),
    )
    cached.set(type, children)
  }
  return children
}

export interface StructureCheck {
  readonly structure: Structure
  /** The type of the root. */
  readonly type: string
  /** The severity of unknown elements: in Factur-X they are not allowed, in UBL they have no meaning. */
  readonly unknown: InvoiceProblem['severity']
  readonly standard: string // 'the profile BASIC'
}

/** Reports violations of the structure to `report`, in document order. */
export function checkStructure(
  root: InvoiceElement,
  { structure, type, unknown, standard }: StructureCheck,
  report: (problem: InvoiceProblem) => void,
): void {
  visit(root, type)

  function visit(element: InvoiceElement, elementType: string): void {
    const allowed = childrenOf(structure, elementType)
    if (allowed === undefined) {
      checkLeaf(element, elementType, report)
      return
    }
    const seen = new Map<string, number>()
    let last: Child | undefined
    for (const child of element.children) {
      const rule = allowed.get(child.name)
      if (rule === undefined) {
        const message = `The element ${child.name} is not allowed here by ${standard}. Remove it.`
        report({ rule: 'SCHEMA', severity: unknown, field: '', path: child.path, message })
        continue
      }
      const count = (seen.get(child.name) ?? 0) + 1
      seen.set(child.name, count)
      if (count === rule.max + 1)
        problem(
          child.path,
          `The element ${child.name} occurs more than ${rule.max === 1 ? 'once' : 'twice'}. Keep the first.`,
        )
      if (last !== undefined && rule.position < last.position)
        problem(
          child.path,
          `The element ${child.name} comes after ${last.name}. Move it in front of that element.`,
        )
      else last = rule
      visit(child, rule.type)
    }
    for (const { name, min } of allowed.values())
      if (min > 0 && !seen.has(name))
        problem(`${element.path}/${name}`, `The element ${element.name} needs ${name}. Add it.`)
  }

  function problem(path: string, message: string): void {
    report({ rule: 'SCHEMA', severity: 'error', field: '', path, message })
  }
}

const dates: Readonly<Record<string, RegExp>> = {
  '102': /^\d{4}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])$/,
  '203': /^\d{12}$/,
  '205': /^\d{12}[+-]?\d{0,4}$/,
}

/** Return the form that is required, which completes the message 'Complete it: …'; undefined for a valid text. */
const leafChecks: Readonly<Record<string, (element: InvoiceElement) => string | undefined>> = {
  decimal: ({ text }) =>
    parseDecimal(text) === undefined ? 'a decimal number with a point, such as 12.50' : undefined,
  indicator: ({ children }) =>
    /^(?:true|false|1|0)$/.test(children[0]?.text ?? '') ? undefined : 'udt:Indicator with true or false',
  boolean: ({ text }) => (/^(?:true|false|1|0)$/.test(text) ? undefined : 'true or false'),
  dateTime: (element) => compactDate(element, 'udt:DateTimeString'),
  date: (element) => compactDate(element, 'udt:DateString'),
  formattedDateTime: (element) => compactDate(element, 'qdt:DateTimeString'),
  isoDate: ({ text }) =>
    isRealDate(text.replaceAll('-', '')) && /^\d{4}-\d\d-\d\d/.test(text)
      ? undefined
      : 'a date such as 2025-03-31',
  binary: ({ attributes }) =>
    attributes.has('mimeCode') && attributes.has('filename')
      ? undefined
      : 'the attributes mimeCode and filename',
}

function compactDate({ children }: InvoiceElement, name: string): string | undefined {
  const [child] = children
  if (children.length !== 1 || child?.name !== name) return `${name} once`
  const format = child?.attributes.get('format') ?? ''
  const isDate =
    entryOf(dates, format)?.test(child?.text ?? '') && (format !== '102' || isRealDate(child?.text ?? ''))
  return isDate ? undefined : 'a date such as 20250331 with format="102"'
}

function isRealDate(digits: string): boolean {
  const [year, month, day] = [digits.slice(0, 4), digits.slice(4, 6), digits.slice(6, 8)].map(Number)
  if (year === undefined || month === undefined || day === undefined) return false
  return month >= 1 && month <= 12 && day >= 1 && day <= new Date(Date.UTC(year, month, 0)).getUTCDate()
}

function checkLeaf(element: InvoiceElement, type: string, report: (problem: InvoiceProblem) => void): void {
  const missing = entryOf(leafChecks, type)?.(element)
  if (missing === undefined) return
  const message = `The element ${element.name} must contain ${missing}.`
  report({ rule: 'SCHEMA', severity: 'error', field: '', path: element.path, message })
}
