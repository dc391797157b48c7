/** What layout gets in place of a compatibility rule when the test takes the rule away. */

type AnyRule = (...values: never[]) => unknown

/** Rules that are numbers of a size, tables or functions; a switch or a question about settings is negated. */
const replacements: Readonly<Record<string, unknown>> = {
  ascentShare: 0.3,
  borderDashes: {},
  cellSpacing: () => 0,
  changeBar: { distance: 20, weight: 3 },
  chapterIndex: (_kind: string, from: number) => from - 1,
  chapterText: (number: string, title: string) => number + title,
  columnEdge: (edge: number) => edge,
  extraLeaders: () => 5,
  familyWithoutStyles: 'Arial',
  floatingTableShift: () => 0,
  frameSides: { around: 'none', auto: 'none', through: 'none', tight: 'both', 'not-beside': 'both' },
  heightOfRaised: (line: number) => line,
  leaderWidth: ({ available }: { readonly available: number }) => available,
  leadingBetween: (above: number, below: number) => above + below,
  lineSpaceBetween: (above: number) => above,
  linePercent: (multiple: number) => multiple * 100 + 5,
  minIntervalWidth: 60,
  minSideWidth: 400,
  minSplitAddress: 6,
  multipliedHeight: (height: number, percent: number) => (height * percent) / 100 + 3,
  noteSeparator: { gap: 8, weight: 2, share: 0.4 },
  plainAutomaticSpace: () => undefined,
  portionFits: (_start: number, end: number, right: number) => end <= right - 3,
  portionWidth: (width: number) => width + 0.2,
  pageBorderEdge: (from: string, space: number, margin: number) => (from === 'page' ? space : margin - space),
  reliefColour: (colour: number) => colour,
  runBorderWidth: () => 0,
  scriptSpace: 0.9,
  shrunkSize: (size: number) => size,
  sizeInTable: (size: number) => size,
  spaceAboveGrid: () => 3,
  spaceAtTop: (before: number) => before + 3,
  spaceBetween: (after: number, before: number) => (after + before) / 3,
  spaceBetweenNotes: (after: number) => after + 9,
  staysOnPage: () => false,
  stepsPerTwentieth: 0.1,
  sunkenSide: (width: number) => width,
  tablesAvoid: new Set(),
  textShadowColour: () => 0xff0000,
  textSize: (size: number) => size,
  underlineDashes: {},
  unspacedEnd: () => 0,
}

export function without(name: string, rule: unknown): unknown {
  if (name in replacements) return replacements[name]
  if (typeof rule === 'boolean') return !rule
  if (typeof rule === 'number') return rule * 1.7 + 0.5
  if (typeof rule !== 'function') throw new Error(`Say in without.ts what replaces ${name}.`)
  return (...values: never[]) => {
    const answer = (rule as AnyRule)(...values)
    if (typeof answer !== 'boolean') throw new Error(`Say in without.ts what replaces ${name}.`)
    return !answer
  }
}
