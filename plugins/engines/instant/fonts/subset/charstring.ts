import { firstNumber, operator, stemHints } from '../charstring-operators.ts'
import type { CffIndex } from './cff-index.ts'

/** The subroutines that a charstring may call. */
export interface Subroutines {
  readonly locals: CffIndex | undefined
  readonly globals: CffIndex
}

/** The format allows ten levels. The limit stops subroutines that call themselves. */
const maxDepth = 10
/** Charstrings of CJK fonts take some thousand steps; one that takes more becomes an empty glyph. */
const maxSteps = 30_000

interface Machine extends Subroutines {
  readonly stack: number[]
  readonly out: number[]
  /** Start of the number on top of the stack in `out`, which a call removes again. */
  top: number
  stems: number
  steps: number
}

/**
 * Inlines the subroutines of a Type 2 charstring, so that a subset needs none. Numbers are tracked because a
 * call takes its index from the stack, and stems are counted because the length of hint masks depends on
 * them.
 *
 * Source: Adobe TN 5177.
 */
export function flattenCharString(charString: Uint8Array, subroutines: Subroutines): Uint8Array {
  const machine: Machine = { ...subroutines, stack: [], out: [], top: 0, stems: 0, steps: 0 }
  const ended = walk(charString, machine, 0)
  if (machine.steps > maxSteps) return Uint8Array.of(operator.endChar)
  if (!ended) machine.out.push(operator.endChar)
  return Uint8Array.from(machine.out)
}

/** Returns true when the glyph has ended. */
function walk(code: Uint8Array, machine: Machine, depth: number): boolean {
  const { stack, out } = machine
  for (let at = 0; at < code.length; ) {
    if (++machine.steps > maxSteps) return true
    const start = at
    const byte = code[at++] ?? 0
    if (byte === operator.return) return false
    if (byte === operator.callSubr || byte === operator.callGSubr) {
      const subroutine = takeSubroutine(byte, machine)
      if (subroutine === undefined || depth >= maxDepth) return false
      if (walk(subroutine, machine, depth + 1)) return true
      continue
    }
    if (byte >= firstNumber || byte === operator.shortInt) {
      machine.top = out.length
      at = pushNumber(code, at, byte, stack)
    } else at += bytesAfterOperator(byte, machine)
    for (let copied = start; copied < at; copied++) out.push(code[copied] ?? 0)
    if (byte === operator.endChar) return true
  }
  return false
}

/** The subroutine that an operator calls. Its number is taken from the stack and from what has been copied. */
function takeSubroutine(
  called: number,
  { stack, out, top, locals, globals }: Machine,
): Uint8Array | undefined {
  const subroutines = called === operator.callSubr ? locals : globals
  const subroutine = subroutines?.item((stack.pop() ?? 0) + biasOf(subroutines.count))
  out.length = top
  return subroutine
}

/** The number of bytes that belong to an operator and follow it. The operator empties the stack. */
function bytesAfterOperator(byte: number, machine: Machine): number {
  if (stemHints.has(byte)) machine.stems += machine.stack.length >> 1
  machine.stack.length = 0
  if (byte === operator.escape) return 1
  // A mask has one bit for each stem.
  return byte === operator.hintMask || byte === operator.counterMask ? (machine.stems + 7) >> 3 : 0
}

/** Pushes the number that begins with `byte`; returns the offset after it. */
function pushNumber(code: Uint8Array, at: number, byte: number, stack: number[]): number {
  let value: number
  if (byte === operator.shortInt) {
    value = (((code[at] ?? 0) << 24) >> 16) | (code[at + 1] ?? 0)
    at += 2
  } else if (byte < 247) value = byte - 139
  else if (byte < 251) value = (byte - 247) * 256 + (code[at++] ?? 0) + 108
  else if (byte < 255) value = -(byte - 251) * 256 - (code[at++] ?? 0) - 108
  else {
    value = ((code[at] ?? 0) << 8) | (code[at + 1] ?? 0) // the integer part of a fixed-point number
    at += 4
  }
  if (stack.length < 512) stack.push(value)
  return at
}

/** What is added to the index of a subroutine on the stack (TN 5177, 4.7). */
function biasOf(count: number): number {
  return count < 1240 ? 107 : count < 33_900 ? 1131 : 32_768
}
