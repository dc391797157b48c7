/**
 * The compiled form of a template: plain immutable data, made once, run many times. A plan holds nothing of any
 * render. Loops own a slot each: while a loop runs, its slot holds the current item and index.
 */
import type { StaticTable } from '../../office/statics.ts'
import type { EmbeddedObject } from '../embedded.ts'
import type { Formatter } from '../formatters/formatter.ts'
import type { Operator } from '../parse/ast.ts'
import type { LineBreak } from '../rules.ts'
import type { ComputedToken, TagContext, TagToken } from '../scan/tokens.ts'

export interface PartPlan {
  readonly name: string
  readonly statics: StaticTable
  readonly nodes: readonly PlanNode[]
  /** What of `nodes` decides where things go; run for all parts before any is written. */
  readonly measure?: readonly PlanNode[]
  readonly slots: number
  readonly conditions: readonly ConditionPlan[]
  /** How many numbers behind the conditions are marks: cleared with them. */
  readonly flags: number
  /** `:set` tags in document order; run before anything is printed. */
  readonly sets: readonly SetPlan[]
}

export type PlanNode =
  | { readonly kind: 'static'; readonly id: number }
  | {
      readonly kind: 'value'
      readonly value: ValuePlan
      readonly escape: TagContext
      /** Stands for the format's line break here. */
      readonly lineBreak?: LineBreak
      readonly output?: Output
      /** Run in the first pass, too. */
      readonly measured?: true
    }
  | LoopPlan
  | { readonly kind: 'when'; readonly conditions: readonly number[]; readonly body: readonly PlanNode[] }
  /** Written when the condition is false: what stands in for a dropped paragraph. */
  | { readonly kind: 'otherwise'; readonly condition: number; readonly id: number }
  /** The first time since the mark was cleared one stretch, later another. */
  | { readonly kind: 'first-or-later'; readonly flag: number; readonly first: number; readonly later: number }
  /**
   * How many columns a cell takes that lost some, or covers some that repeat: for each loop one is in `span`. With a body,
   * that where any are left.
   */
  | {
      readonly kind: 'columns'
      readonly span: number
      readonly dropped: readonly { readonly condition: number; readonly by: number }[]
      readonly grows: readonly LoopPlan[]
      readonly body?: readonly PlanNode[]
    }
  /** Written when running `probe` would write anything, else the stretch `otherwise`, if there is one. */
  | {
      readonly kind: 'filled'
      readonly probe: readonly PlanNode[]
      readonly body: readonly PlanNode[]
      readonly otherwise?: number
    }
  | { readonly kind: 'translate'; readonly key: string; readonly escape: TagContext }
  | {
      readonly kind: 'unique'
      readonly space: string
      readonly takes: 'new' | 'same'
      readonly name: boolean
      readonly original: string
    }
  /** One list of parts for each package inside. */
  | {
      readonly kind: 'inner'
      readonly packages: readonly (readonly PartPlan[])[]
      readonly write: EmbeddedObject['write']
    }
  | ({ readonly kind: 'computed' } & Pick<ComputedToken, 'compute' | 'measure' | 'recorder'>)

export type Output = NonNullable<TagToken['output']>

export interface LoopPlan {
  readonly kind: 'loop'
  readonly slot: number
  readonly source: PathPlan
  /** An item that does not pass is left out. */
  readonly filters: readonly FilterPlan[]
  /** When present: an item is left out unless one of these lists passes. */
  readonly shown?: readonly (readonly FilterPlan[])[]
  readonly sort: readonly (readonly string[])[]
  readonly distinct: boolean
  readonly times?: readonly string[]
  readonly body: readonly PlanNode[]
  /** Conditions to be judged anew for each item. */
  readonly resets: readonly number[]
  readonly tag: string // for messages
}

export interface ConditionPlan {
  readonly value: ValuePlan
  /** Loops between the element and a tag deeper inside it: each item counts, and one that hides hides the element. */
  readonly over: readonly Pick<LoopPlan, 'slot' | 'source' | 'filters' | 'shown' | 'times'>[]
  /** What shows the pieces: a true or a false condition. */
  readonly wanted: boolean
}

/** base: 'd', 'c', or the slot of a loop whose item the path starts from. */
export interface PathPlan {
  readonly base: 'd' | 'c' | number
  /** Set when all steps are names: the quick way. */
  readonly keys?: readonly string[]
  readonly steps: readonly StepPlan[]
}
export type StepPlan =
  | { readonly kind: 'key'; readonly name: string }
  | { readonly kind: 'at'; readonly index: number }
  | { readonly kind: 'find'; readonly filters: readonly FilterPlan[] }
  | { readonly kind: 'parallel'; readonly slot: number }

export interface FilterPlan {
  /** undefined: the index. */
  readonly left: readonly string[] | undefined
  readonly operator: Operator
  readonly right:
    | { readonly kind: 'constant'; readonly text: string; readonly quoted: boolean; readonly number?: number }
    | { readonly kind: 'item'; readonly keys: readonly string[] }
    | { readonly kind: 'path'; readonly path: PathPlan }
}

export interface ValuePlan {
  readonly path: PathPlan
  readonly calls: readonly CallPlan[]
  /** Filters written on this tag that the loops around it do not apply to all their tags. */
  readonly guards: readonly { readonly slot: number; readonly filters: readonly FilterPlan[] }[]
  readonly aggregate?: AggregatePlan
  /** Prints nothing: the neutral marker of an array of objects. */
  readonly neutral: boolean
  readonly tag: string
}

export interface CallPlan {
  readonly formatter: Formatter
  /** Tests and conditions are skipped once show has fired. */
  readonly conditional: boolean
  readonly args: readonly ArgPlan[]
  readonly constants?: readonly unknown[]
  /** Running aggregates keep their totals under this number. */
  readonly running?: number
}
export type ArgPlan =
  | { readonly kind: 'constant'; readonly value: unknown }
  | { readonly kind: 'path'; readonly path: PathPlan }
  | { readonly kind: 'index'; readonly slot: number }
  | { readonly kind: 'translated'; readonly parts: readonly string[] }
  | { readonly kind: 'sum'; readonly items: readonly SumPlan[] }
export type SumPlan =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'path'; readonly path: PathPlan }
  | { readonly kind: 'index'; readonly slot: number }
  | { readonly kind: 'operator'; readonly operator: '+' | '-' | '*' | '/' | 'minus' }

/** All items along some levels of arrays, reduced to one value for each key. */
export interface AggregatePlan {
  readonly levels: readonly LevelPlan[]
  readonly item: PathPlan
  readonly before: readonly CallPlan[]
  readonly name: string
  readonly separator: ArgPlan | undefined
  readonly keys: readonly ArgPlan[] // of an item
  readonly current: readonly ArgPlan[] // of the row being printed
  /** Set when the result is the same all over the render. */
  readonly cache: number | undefined
}
export interface LevelPlan {
  readonly slot: number
  readonly source: PathPlan
  readonly filters: readonly FilterPlan[]
}

export interface SetPlan {
  readonly levels: readonly LevelPlan[]
  readonly value: ValuePlan
  readonly target: TargetPlan
  readonly tag: string
}
/** Where a `:set` writes: from an object along names and searched arrays to the last name. */
export interface TargetPlan {
  readonly base: PathPlan
  readonly steps: readonly TargetStep[]
}
export interface TargetStep {
  readonly name: string
  /** `[]` appends; filters find an item or make one. Absent: a plain attribute. */
  readonly item?:
    | { readonly append: true }
    | { readonly append: false; readonly match: readonly { readonly key: string; readonly value: ArgPlan }[] }
}
