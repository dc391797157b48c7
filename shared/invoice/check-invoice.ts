/** Checks an electronic invoice: its XML, its profile, the schema of its syntax, and the business rules. */
import { entryOf } from '../entry-of.ts'
import { XmlFault } from '../xml/cursor.ts'
import { add, type Decimal, multiply, negate, zero } from './decimal.ts'
import type { InvoiceProblem } from './problem.ts'
import { type Profile, type ProfileName, profileNamed, profileOf } from './profiles.ts'
import { type InvoiceElement, readInvoiceXml } from './read-xml.ts'
import { businessRules } from './rules/en16931.ts'
import { type CategoryUse, type Facts, numberOf, type Rule, taxKey, textOf, valuesOf } from './rules/rule.ts'
import { vatRules } from './rules/vat.ts'
import { xrechnungRules } from './rules/xrechnung.ts'
import { type Binding, type Group, readGroup } from './syntax/binding.ts'
import { cii } from './syntax/cii.ts'
import { ciiStructures } from './syntax/cii-structure.ts'
import { checkStructure, type Structure } from './syntax/structure.ts'
import { ublCreditNote, ublInvoice } from './syntax/ubl.ts'
import { ublStructure } from './syntax/ubl-structure.ts'

export interface CheckedInvoice {
  /** Absent where the XML does not contain it or cannot be read. */
  readonly profile?: Profile
  readonly syntax?: 'CII' | 'UBL'
  /** At most `maxProblems`, errors first. */
  readonly problems: readonly InvoiceProblem[]
}

const maxProblems = 100

interface Syntax {
  readonly id: 'CII' | 'UBL'
  readonly binding: Binding
  readonly type: string
}

const syntaxes: Readonly<Record<string, Syntax>> = {
  'rsm:CrossIndustryInvoice': { id: 'CII', binding: cii, type: 'CrossIndustryInvoice' },
  'ubl:Invoice': { id: 'UBL', binding: ublInvoice, type: 'Invoice' },
  'ubl:CreditNote': { id: 'UBL', binding: ublCreditNote, type: 'CreditNote' },
}

/** `expected`: the profile that the caller chose; absent: the one that the invoice declares. Never throws for an invoice. */
export function checkInvoice(bytes: Uint8Array, expected?: ProfileName): CheckedInvoice {
  let root: InvoiceElement
  try {
    root = readInvoiceXml(bytes)
  } catch (error) {
    if (error instanceof XmlFault) return { problems: [xmlProblem(`It cannot be read: ${error.message}.`)] }
    throw error
  }
  const syntax = entryOf(syntaxes, root.name)
  if (syntax === undefined)
    return {
      problems: [
        xmlProblem('It is neither a CrossIndustryInvoice nor a UBL Invoice or CreditNote of EN 16931.'),
      ],
    }
  const invoice = withTaxTotals(readGroup(root, 'BG-0', syntax.binding))
  const profile = profileOf(textOf(invoice, 'BT-24'))
  const problems: InvoiceProblem[] = []
  const report = (problem: InvoiceProblem) =>
    void (problems.length < 10 * maxProblems && problems.push(problem))
  checkProfile(invoice, profile, expected, report)
  checkStructure(root, structureFor(syntax, profile), report)
  checkRules(factsOf(invoice, syntax, profile), profile, report)
  return { ...(profile && { profile }), syntax: syntax.id, problems: ordered(problems) }
}

const xmlProblem = (message: string): InvoiceProblem => ({
  rule: 'XML',
  severity: 'error',
  field: '',
  path: '/',
  message,
})

/** Sorts errors before warnings. A problem that both the schema and a rule report is kept only for the rule. */
function ordered(problems: readonly InvoiceProblem[]): readonly InvoiceProblem[] {
  const ruled = new Set(problems.filter(({ rule }) => rule !== 'SCHEMA').map(({ path }) => path))
  const kept = problems.filter(({ rule, path }) => rule !== 'SCHEMA' || !ruled.has(path))
  return [
    ...kept.filter(({ severity }) => severity === 'error'),
    ...kept.filter(({ severity }) => severity === 'warning'),
  ].slice(0, maxProblems)
}

function checkProfile(
  invoice: Group,
  profile: Profile | undefined,
  expected: ProfileName | undefined,
  report: (problem: InvoiceProblem) => void,
): void {
  const declared = textOf(invoice, 'BT-24')
  if (declared === '') return // BR-01
  const problem =
    profile === undefined
      ? 'The specification identifier does not belong to any known profile.'
      : expected !== undefined && profile.name !== expected
        ? `The specification identifier is that of ${profile.name}, but ${expected} was requested.`
        : undefined
  if (problem !== undefined)
    report({
      rule: 'PROFILE',
      severity: 'error',
      field: 'BT-24',
      path: valuesOf(invoice, 'BT-24')[0]?.path ?? invoice.path,
      message: `${problem} Write ${profileNamed(expected ?? 'EN 16931').identifier}.`,
    })
}

function structureFor({ id, type }: Syntax, profile: Profile | undefined) {
  const level = profile?.level ?? 3
  const structure: Structure = (id === 'UBL' ? ublStructure : ciiStructures[level]) ?? ublStructure
  // The schemas of UBL and of XRechnung have more elements, which have no meaning in EN 16931.
  const isOpen = id === 'UBL' || profile?.name === 'XRECHNUNG'
  const standard = isOpen ? 'EN 16931' : `the profile ${profile?.name ?? 'EN 16931'}`
  return { structure, type, unknown: isOpen ? 'warning' : 'error', standard } as const
}

/**
 * Separates the VAT total in the accounting currency (BT-111) from that in the invoice currency, which is the same
 * element in both syntaxes.
 */
function withTaxTotals(invoice: Group): Group {
  const accounting = textOf(invoice, 'BT-6')
  const isAccounting = ({ attributes }: { readonly attributes: ReadonlyMap<string, string> }) =>
    accounting !== '' && accounting !== textOf(invoice, 'BT-5') && attributes.get('currencyID') === accounting
  const all = valuesOf(invoice, 'BT-110')
  const location = invoice.places.get('BT-110') ?? invoice.path
  return {
    ...invoice,
    places: new Map(invoice.places).set('BT-111', location),
    terms: new Map(invoice.terms)
      .set(
        'BT-110',
        all.filter((value) => !isAccounting(value)),
      )
      .set('BT-111', all.filter(isAccounting)),
  }
}

const categoryTerms = {
  lines: 'BT-151',
  allowances: 'BT-95',
  charges: 'BT-102',
  breakdown: 'BT-118',
} as const
const rateTerms = { lines: 'BT-152', allowances: 'BT-96', charges: 'BT-103' } as const
const amountTerms = { lines: 'BT-131', allowances: 'BT-92', charges: 'BT-99' } as const
const ratedCategories = new Set(['S', 'L', 'M', 'B'])

function factsOf(invoice: Group, syntax: Syntax, profile: Profile | undefined): Facts {
  const groupsOf = (id: string) => invoice.groups.get(id) ?? []
  const isExtended = profile?.name === 'EXTENDED'
  const lines = groupsOf('BG-25').filter(
    (line) => !isExtended || !['GROUP', 'INFORMATION'].includes(textOf(line, 'BT-X-8')),
  )
  const groups = {
    lines,
    allowances: groupsOf('BG-20'),
    charges: [...groupsOf('BG-21'), ...groupsOf('BG-X-42')],
    breakdown: groupsOf('BG-23'),
  }
  const byCategory = new Map<string, CategoryUse>()
  const taxable = new Map<string, Decimal>()
  for (const kind of ['lines', 'allowances', 'charges', 'breakdown'] as const)
    for (const group of groups[kind]) {
      const category = textOf(group, categoryTerms[kind])
      const use = byCategory.get(category) ?? { lines: 0, allowances: 0, charges: 0, breakdown: 0 }
      byCategory.set(category, use)
      use[kind]++
      if (kind === 'breakdown') continue
      const amount = numberOf(group, amountTerms[kind]) ?? zero
      const key = taxKey(category, ratedCategories.has(category) ? textOf(group, rateTerms[kind]) : '')
      taxable.set(key, add(taxable.get(key) ?? zero, kind === 'allowances' ? negate(amount) : amount))
    }
  const count = lines.length + groups.allowances.length + groups.charges.length
  const cent: Decimal = { units: 1n, scale: 2 }
  const tolerance = isExtended ? multiply(cent, { units: BigInt(count), scale: 0 }) : zero
  return { invoice, syntax: syntax.id, ...groups, byCategory, taxable, tolerance }
}

function checkRules(
  facts: Facts,
  profile: Profile | undefined,
  report: (problem: InvoiceProblem) => void,
): void {
  const level = profile?.level ?? 3
  const groups = groupsById(facts.invoice)
  const isGerman = profile?.name === 'XRECHNUNG'
  for (const rule of [...businessRules, ...vatRules, ...(isGerman ? xrechnungRules : [])]) {
    if ((rule.since ?? 2) > level) continue
    for (const at of rule.each === undefined ? [facts.invoice] : (groups.get(rule.each) ?? []))
      if ((rule.when?.(at, facts) ?? true) && !rule.test(at, facts)) report(problemOf(rule, at))
  }
}

function groupsById(group: Group, found = new Map<string, Group[]>()): ReadonlyMap<string, readonly Group[]> {
  for (const [id, children] of group.groups)
    for (const child of children) {
      const list = found.get(id)
      if (list === undefined) found.set(id, [child])
      else list.push(child)
      groupsById(child, found)
    }
  return found
}

function problemOf({ id, severity, field, message }: Rule, at: Group): InvoiceProblem {
  const path =
    valuesOf(at, field)[0]?.path ?? at.groups.get(field)?.[0]?.path ?? at.places.get(field) ?? at.path
  return { rule: id, severity, field, path, message }
}
