/** Decimal arithmetic in arguments, for renders that request high precision. Source: template language 7, 10. */
import {
  addExact,
  type Decimal,
  divideExact,
  exact,
  multiplyExact,
  negateExact,
  numberOrText,
} from '../formatters/decimal.ts'
import type { SumPlan } from '../plan/plan.ts'
import { resolve } from './resolve.ts'
import type { PartState } from './state.ts'

/** Returns undefined if an operand is not a number or a divisor is 0; ordinary arithmetic then determines the result. */
export function exactSum(items: readonly SumPlan[], state: PartState): number | string | undefined {
  const stack: Decimal[] = []
  for (const item of items) {
    let value: Decimal | undefined
    if (item.kind === 'number') value = exact(item.value)
    else if (item.kind === 'path') value = exact(resolve(item.path, state))
    else if (item.kind === 'index') value = exact(state.index[item.slot])
    else {
      const right = stack.pop()
      const left = item.operator === 'minus' ? undefined : stack.pop()
      if (right === undefined) return undefined
      if (item.operator === 'minus') value = negateExact(right)
      else if (left !== undefined) value = operate(item.operator, left, right)
    }
    if (value === undefined) return undefined
    stack.push(value)
  }
  return stack[0] === undefined ? undefined : numberOrText(stack[0])
}

function operate(operator: '+' | '-' | '*' | '/', left: Decimal, right: Decimal): Decimal | undefined {
  if (operator === '+') return addExact(left, right)
  if (operator === '-') return addExact(left, negateExact(right))
  if (operator === '*') return multiplyExact(left, right)
  return right.digits === 0n ? undefined : divideExact(left, right)
}
