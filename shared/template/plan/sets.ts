/** Plans `:set` tags: the value, the items that it is made for, and where it is stored. Source: template language 20. */

import { locationOf, tagOf, type ValueTag } from '../bind/part.ts'
import { flatten, isSilent, ownerOf, PathAboveRoot } from '../bind/paths.ts'
import { reduces } from '../bind/tag-kinds.ts'
import type { CallNode } from '../parse/ast.ts'
import { SyntaxProblem } from '../parse/ast.ts'
import { pathOf } from '../parse/path.ts'
import { compilePath } from './paths.ts'
import type { ArgPlan, SetPlan, TargetStep } from './plan.ts'
import { compileArg, compileLevels, compileValue, pathContext, type ValueContext } from './values.ts'

/** Plans a `:set` tag; undefined for any other tag. */
export function compileSet(tag: ValueTag, values: ValueContext): SetPlan | undefined {
  const { context } = values
  const fail = (because: string) => {
    context.report.add(
      'template.formatter.arguments',
      { name: 'set', tag: tagOf(tag.token), because },
      locationOf(context, tag.at),
    )
    return undefined
  }
  if (tag.iterated.length > 0) return fail('its source cannot use [i]; write [] instead')
  try {
    const call = tag.calls.at(-1)!
    const target = targetPath(call)
    if (target === undefined) return fail('it needs a target such as c.total or .total')
    // A relative target is written for each item that the path visits, also after an aggregate.
    const perItem = !reduces(tag) || target.root === '.'
    const visits = perItem
      ? compileLevels(tag, values, (selector) => isSilent(selector) || selector.filters.length > 0)
      : undefined
    const visited: ValueTag = visits === undefined ? tag : { ...tag, flat: visits.flat }
    const valueContext: ValueContext =
      visits === undefined ? values : { ...values, loops: visits.paths.loops }
    const value = reduces(tag)
      ? compileValue(tag, tag.calls.slice(0, -1), valueContext)
      : compileValue(visited, visited.calls.slice(0, -1), valueContext)
    if (value === undefined) return undefined
    const owner = ownerOf(visited.flat)
    const names = target.steps
    const steps: TargetStep[] = []
    for (const step of names) {
      if (step.kind === 'key') steps.push({ name: step.name })
      else if (step.kind === 'select') {
        const last = steps.pop()
        if (last === undefined || last.item !== undefined) return fail('its target cannot be read')
        if (isSilent(step.selector)) steps.push({ name: last.name, item: { append: true } })
        else {
          const match = step.selector.filters.map(({ left, right }) => {
            const arg: ArgPlan =
              'root' in right
                ? compileArg(
                    { kind: 'path', path: right },
                    visited,
                    visits?.paths ?? pathContext(tag, values.loops),
                  )
                : { kind: 'constant', value: right.text }
            return { key: left.join('.'), value: arg }
          })
          steps.push({ name: last.name, item: { append: false, match } })
        }
      } else return fail('its target cannot be read')
    }
    if (steps.length === 0) return fail('its target has no name')
    const base = flatten({ root: target.root, up: target.up, steps: [] }, owner).flat
    return {
      levels: visits?.levels ?? [],
      value,
      target: { base: compilePath(base, visits?.paths ?? pathContext(tag, values.loops)), steps },
      tag: tagOf(tag.token),
    }
  } catch (error) {
    if (error instanceof PathAboveRoot) {
      context.report.add('template.path.too-high', { tag: tagOf(tag.token) }, locationOf(context, tag.at))
      return undefined
    }
    if (error instanceof SyntaxProblem) return fail(error.because)
    throw error
  }
}

function targetPath(call: CallNode): ReturnType<typeof pathOf> | undefined {
  const arg = call.args[0]
  if (arg?.kind === 'path') return arg.path
  return arg?.kind === 'text' && /^(\.|[dc]\.)/.test(arg.text) ? pathOf(arg.text) : undefined
}
