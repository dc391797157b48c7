import { describe, expect, it } from 'vitest'
import { arrowHeads } from '../../../../../../plugins/engines/instant/layout/drawing/arrow-heads.ts'
import {
  presetDetails,
  presetPath,
} from '../../../../../../plugins/engines/instant/layout/drawing/presets.ts'
import type { PathCommand } from '../../../../../../plugins/engines/instant/layout/frame.ts'

/** ST_ShapeType, all of it. Source: ECMA-376-1, clause 20.1.10.56. */
const presets =
  'line lineInv triangle rtTriangle rect diamond parallelogram trapezoid nonIsoscelesTrapezoid pentagon hexagon heptagon octagon decagon dodecagon star4 star5 star6 star7 star8 star10 star12 star16 star24 star32 roundRect round1Rect round2SameRect round2DiagRect snipRoundRect snip1Rect snip2SameRect snip2DiagRect plaque ellipse teardrop homePlate chevron pieWedge pie blockArc donut noSmoking rightArrow leftArrow upArrow downArrow stripedRightArrow notchedRightArrow bentUpArrow leftRightArrow upDownArrow leftUpArrow leftRightUpArrow quadArrow leftArrowCallout rightArrowCallout upArrowCallout downArrowCallout leftRightArrowCallout upDownArrowCallout quadArrowCallout bentArrow uturnArrow circularArrow leftCircularArrow leftRightCircularArrow curvedRightArrow curvedLeftArrow curvedUpArrow curvedDownArrow swooshArrow cube can lightningBolt heart sun moon smileyFace irregularSeal1 irregularSeal2 foldedCorner bevel frame halfFrame corner diagStripe chord arc leftBracket rightBracket leftBrace rightBrace bracketPair bracePair straightConnector1 bentConnector2 bentConnector3 bentConnector4 bentConnector5 curvedConnector2 curvedConnector3 curvedConnector4 curvedConnector5 callout1 callout2 callout3 accentCallout1 accentCallout2 accentCallout3 borderCallout1 borderCallout2 borderCallout3 accentBorderCallout1 accentBorderCallout2 accentBorderCallout3 wedgeRectCallout wedgeRoundRectCallout wedgeEllipseCallout cloudCallout cloud ribbon ribbon2 ellipseRibbon ellipseRibbon2 leftRightRibbon verticalScroll horizontalScroll wave doubleWave plus flowChartProcess flowChartDecision flowChartInputOutput flowChartPredefinedProcess flowChartInternalStorage flowChartDocument flowChartMultidocument flowChartTerminator flowChartPreparation flowChartManualInput flowChartManualOperation flowChartConnector flowChartPunchedCard flowChartPunchedTape flowChartSummingJunction flowChartOr flowChartCollate flowChartSort flowChartExtract flowChartMerge flowChartOfflineStorage flowChartOnlineStorage flowChartMagneticTape flowChartMagneticDisk flowChartMagneticDrum flowChartDisplay flowChartDelay flowChartAlternateProcess flowChartOffpageConnector actionButtonBlank actionButtonHome actionButtonHelp actionButtonInformation actionButtonForwardNext actionButtonBackPrevious actionButtonEnd actionButtonBeginning actionButtonReturn actionButtonDocument actionButtonSound actionButtonMovie gear6 gear9 funnel mathPlus mathMinus mathMultiply mathDivide mathEqual mathNotEqual cornerTabs squareTabs plaqueTabs chartX chartStar chartPlus'.split(
    ' ',
  )

const numbers = (commands: readonly PathCommand[]): number[] =>
  commands.flatMap(([, ...points]) => points.map(Number))

describe('preset shapes', () => {
  it('are all there are', () => expect(new Set(presets).size).toBe(187))
  it('have outlines, which keep near their box', () => {
    for (const name of presets) {
      const path = presetPath(name, 100, 60, new Map())
      const all = numbers([...(path ?? []), ...presetDetails(name, 100, 60, new Map())])
      expect(all.length, name).toBeGreaterThan(0)
      expect(all.every(Number.isFinite), name).toBe(true)
      // Lines of callouts and tips of clouds lead out of the box, nothing leads away.
      expect(Math.max(...all.map(Math.abs)), name).toBeLessThan(200)
    }
  })
  it('are none by the names that every object answers to', () => {
    for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf']) {
      expect(presetPath(name, 100, 60, new Map()), name).toBeUndefined()
      expect(presetDetails(name, 100, 60, new Map()), name).toEqual([])
    }
  })
  it('stand wild adjustments and flat boxes', () => {
    const keys = ['adj', ...Array.from({ length: 8 }, (_, n) => `adj${n + 1}`)]
    const wild = new Map(keys.map((key, n) => [key, n % 2 === 0 ? 9_000_000 : -9_000_000]))
    const boxes = [
      [100, 60],
      [0, 50],
      [50, 0],
    ] as const
    for (const name of presets)
      for (const [w, h] of boxes)
        expect(numbers(presetPath(name, w, h, wild) ?? []).every(Number.isFinite), name).toBe(true)
  })
  it('connectors bend where they say', () => {
    expect(presetPath('bentConnector3', 100, 50, new Map([['adj1', 25_000]]))).toEqual([
      ['M', 0, 0],
      ['L', 25, 0],
      ['L', 25, 50],
      ['L', 100, 50],
    ])
  })
})

describe('heads of lines', () => {
  const line: PathCommand[] = [
    ['M', 0, 0],
    ['L', 100, 0],
  ]
  const stroke = { colour: 0, width: 2 }
  const plain = { color: '000000', width: 2, dash: 'solid' } as const
  const box = (commands: readonly PathCommand[]): number[] => {
    const all = numbers(commands)
    const [xs, ys] = [all.filter((_, n) => n % 2 === 0), all.filter((_, n) => n % 2 === 1)]
    return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)].map((value) =>
      Math.round(value),
    )
  }
  const boxOf = (
    commands: readonly PathCommand[],
    kind: 'triangle' | 'stealth' | 'diamond' | 'oval' | 'open',
    size: number,
  ) =>
    arrowHeads(commands, { ...plain, endArrow: { kind, width: size, length: size } }, stroke).map(
      ({ item }) => (item.kind === 'shape' ? box(item.path.commands) : []),
    )
  it.each([
    ['triangle', 3, [94, -3, 100, 3]],
    ['triangle', 5, [90, -5, 100, 5]],
    ['stealth', 3, [94, -3, 100, 3]],
    ['open', 3, [94, -3, 100, 3]],
    ['diamond', 3, [97, -3, 103, 3]],
    ['oval', 3, [97, -3, 103, 3]],
  ] as const)('%s, %d widths', (kind, size, expected) => {
    expect(boxOf(line, kind, size)).toEqual([expected])
  })
  it('look along the end of a curve', () => {
    const curve: PathCommand[] = [
      ['M', 0, 0],
      ['C', 50, 0, 100, 50, 100, 100],
    ]
    expect(boxOf(curve, 'triangle', 3)).toEqual([[97, 94, 103, 100]])
  })
  it('closed outlines have none', () => expect(boxOf([...line, ['Z']], 'oval', 3)).toEqual([]))
})
