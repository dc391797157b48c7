/**
 * The compiled form of a template: plain immutable data, made once and run by many renders. A plan holds nothing of any
 * render and no functions, so it can be printed, compared and copied. Where a format has to act, a node names one of the
 * part's hooks by its number.
 *
 * Each loop owns a slot: while it runs, the slot holds its current item, the index and the number of items.
 */

import type { EmbeddedObject } from '../embedded.ts'
import type { Formatter } from '../formatters/formatter.ts'
import type { Operator } from '../parse/ast.ts'
import type { LineBreak } from '../rules.ts'
import type { ComputedToken, Recorder, TagContext, TagToken } from '../scan/tokens.ts'
import type { StaticTable } from '../statics.ts'

/** A part of a template, ready to be rendered. */
export interface CompiledPart {
  readonly plan: PartPlan
  readonly hooks: PlanHooks
}

/** The functions of the format and of the language that a plan calls, indexed by number. */
export interface PlanHooks {
  readonly computed: readonly Pick<ComputedToken, 'compute' | 'measure'>[]
  readonly outputs: readonly TagOutput[]
  readonly lineBreaks: readonly LineBreak[]
  readonly recorders: readonly Recorder[]
  readonly embedded: readonly CompiledObject[]
  readonly formatters: readonly Formatter[]
}

/** A function of the format that writes the value of a tag in its own way, such as a typed cell. */
export type TagOutput = NonNullable<TagToken['output']>

/** An embedded object: one list of compiled parts for each of its packages. */
export interface CompiledObject extends Pick<EmbeddedObject, 'write'> {
  readonly packages: readonly (readonly CompiledPart[])[]
}

/** The plan of one part. */
export interface PartPlan {
  readonly name: string
  readonly statics: StaticTable
  readonly nodes: readonly PlanNode[]
  /** The nodes of the measuring pass. All parts are measured before any part is written. */
  readonly measure?: readonly PlanNode[]
  readonly slots: number
  readonly conditions: readonly ConditionPlan[]
  /** The number of flags, which are numbered after the conditions and cleared by the same loops. */
  readonly flags: number
  /** `:set` tags in document order. They run before anything is printed. */
  readonly sets: readonly SetPlan[]
}

/** One instruction of a plan. */
export type PlanNode =
  /** A static segment: bytes of the template that nothing changes. */
  | { readonly kind: 'static'; readonly id: number }
  | {
      readonly kind: 'value'
      readonly value: ValuePlan
      readonly escape: TagContext
      /** Replaces the line break of the format at this position. */
      readonly lineBreak?: number
      /** Writes the value in the place of its text. */
      readonly output?: number
      /** Runs in the measuring pass, too. */
      readonly measured?: true
    }
  | LoopPlan
  | { readonly kind: 'when'; readonly conditions: readonly number[]; readonly body: readonly PlanNode[] }
  /** Written when the condition is false, in place of a dropped paragraph. */
  | { readonly kind: 'otherwise'; readonly condition: number; readonly id: number }
  /** Writes `first` the first time it runs after `flag` was cleared, and `later` every time after that. */
  | { readonly kind: 'first-or-later'; readonly flag: number; readonly first: number; readonly later: number }
  | ColumnsPlan
  /** Writes `body` if running `probe` would write anything, else the static segment `otherwise`, if there is one. */
  | {
      readonly kind: 'filled'
      readonly probe: readonly PlanNode[]
      readonly body: readonly PlanNode[]
      readonly otherwise?: number
    }
  | { readonly kind: 'translate'; readonly key: string; readonly escape: TagContext }
  /** An attribute value that must differ in each copy, such as an id. */
  | {
      readonly kind: 'unique'
      readonly space: string
      readonly takes: 'new' | 'same'
      readonly name: boolean
      readonly original: string
    }
  | { readonly kind: 'embedded'; readonly hook: number }
  | { readonly kind: 'computed'; readonly hook: number }
  /** Measuring pass: one computed token. */
  | { readonly kind: 'measure'; readonly hook: number }
  /** Measuring pass: an item of the loop in `enter` begins, or, without it, the item of the innermost loop ends. */
  | { readonly kind: 'record'; readonly recorders: readonly number[]; readonly enter?: number }

/**
 * The columns of a cell that loses some to conditions, or that covers columns that repeat. Their number is `span`, minus
 * those whose condition is false, plus one for each item after the first of a loop in `grows`. Without a body the number
 * is written, at least 1. With a body, the body is written if any column is left.
 */
export interface ColumnsPlan {
  readonly kind: 'columns'
  readonly span: number
  readonly dropped: readonly { readonly condition: number; readonly by: number }[]
  readonly grows: readonly LoopPlan[]
  readonly body?: readonly PlanNode[]
}

/** A loop: writes `body` for each item of `source` that passes. */
export interface LoopPlan {
  readonly kind: 'loop'
  readonly slot: number
  readonly source: PathPlan
  /** An item that does not pass all of them is skipped. */
  readonly filters: readonly FilterPlan[]
  /** When present, an item is skipped unless one of these lists passes. */
  readonly shown?: readonly (readonly FilterPlan[])[]
  readonly sort: readonly (readonly string[])[]
  readonly distinct: boolean
  readonly times?: readonly string[]
  readonly body: readonly PlanNode[]
  /** Conditions and flags that are cleared for each item. */
  readonly resets: readonly number[]
  readonly tag: string // for messages
}

/** A condition that keeps or drops blocks. They are shown when the result of its tag equals `showsWhen`. */
export interface ConditionPlan {
  readonly value: ValuePlan
  /**
   * Loops between the element and its tag, where the tag is nested more deeply. The condition is evaluated for each of
   * their items, and one item that hides the element is enough.
   */
  readonly over: readonly Pick<LoopPlan, 'slot' | 'source' | 'filters' | 'shown' | 'times'>[]
  /** The outcome that shows the tokens. */
  readonly showsWhen: boolean
}

/** A path from the data, the complement, or the item in a slot. */
export interface PathPlan {
  /** The data, the complement, or the slot of the loop whose item the path starts from. */
  readonly base: 'd' | 'c' | number
  /** The names of all steps, where every step is a name: most paths are followed without a switch for each step. */
  readonly keys?: readonly string[]
  readonly steps: readonly StepPlan[]
}
/** One step of a path. */
export type StepPlan =
  | { readonly kind: 'key'; readonly name: string }
  | { readonly kind: 'at'; readonly index: number }
  | { readonly kind: 'find'; readonly filters: readonly FilterPlan[] }
  | { readonly kind: 'parallel'; readonly slot: number }

/** A filter. Without `left` it compares the index of the item. */
export interface FilterPlan {
  /** Names from the item on; undefined for its index. */
  readonly left: readonly string[] | undefined
  readonly operator: Operator
  readonly right:
    | { readonly kind: 'constant'; readonly text: string; readonly quoted: boolean; readonly number?: number }
    | { readonly kind: 'item'; readonly keys: readonly string[] }
    | { readonly kind: 'path'; readonly path: PathPlan }
}

/** The value of a tag: its path, its formatters, and the filters that the current items must pass. */
export interface ValuePlan {
  readonly path: PathPlan
  readonly calls: readonly CallPlan[]
  /** Filters of this tag alone, by loop: an item that does not pass prints nothing here. */
  readonly guards: readonly { readonly slot: number; readonly filters: readonly FilterPlan[] }[]
  readonly aggregate?: AggregatePlan
  readonly tag: string // for messages
}

/** One formatter of a chain. */
export interface CallPlan {
  readonly formatter: string // its name
  readonly hook: number
  /** Tests and conditions are skipped once `show` has decided. */
  readonly conditional: boolean
  readonly args: readonly ArgPlan[]
  /** The values of the arguments, where all of them are constant. */
  readonly constants?: readonly unknown[]
  /** Running aggregates keep their totals under this number. */
  readonly running?: number
}
/** An argument of a formatter. */
export type ArgPlan =
  | { readonly kind: 'constant'; readonly value: unknown }
  | { readonly kind: 'path'; readonly path: PathPlan }
  | { readonly kind: 'index'; readonly slot: number }
  | { readonly kind: 'translated'; readonly parts: readonly string[] }
  | { readonly kind: 'sum'; readonly items: readonly SumPlan[] }
/** One item of an arithmetic argument, in postfix order. */
export type SumPlan =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'path'; readonly path: PathPlan }
  | { readonly kind: 'index'; readonly slot: number }
  | { readonly kind: 'operator'; readonly operator: '+' | '-' | '*' | '/' | 'minus' }

/** All items of the arrays that a path iterates over, reduced to one value for each key. */
export interface AggregatePlan {
  readonly levels: readonly LevelPlan[]
  readonly item: PathPlan
  readonly before: readonly CallPlan[]
  readonly name: string
  readonly separator: ArgPlan | undefined
  readonly keys: readonly ArgPlan[] // of an item
  readonly current: readonly ArgPlan[] // of the row being printed
  /** Where the result is kept, when it is the same in the whole render. */
  readonly cache: number | undefined
}
/** One list that an aggregate or a `:set` tag visits, and the slot for its items. */
export interface LevelPlan {
  readonly slot: number
  readonly source: PathPlan
  readonly filters: readonly FilterPlan[]
}

/** A `:set` tag: the value is computed and written once for each item of its levels. */
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
/** `[]` appends; filters find an item or create one. Absent: a plain attribute. */
export interface TargetStep {
  readonly name: string
  /** `[]` appends; filters find an item or make one. Absent: a plain attribute. */
  readonly item?:
    | { readonly append: true }
    | { readonly append: false; readonly match: readonly { readonly key: string; readonly value: ArgPlan }[] }
}
