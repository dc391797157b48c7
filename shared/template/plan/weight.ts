import type { CompiledPart } from './plan.ts'

/** Bytes of the static segments of a part and of all that is embedded in it. */
export function staticBytes({ plan, hooks }: CompiledPart): number {
  const embedded = hooks.embedded.flatMap(({ packages }) => packages.flat())
  return plan.statics.bytes.length + embedded.reduce((sum, part) => sum + staticBytes(part), 0)
}
