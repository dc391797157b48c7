import { type CollectTask, collectGarbage, threadSize } from '../../origin/threads.ts'

export type LitterTask = { readonly kind: 'litter' | 'nothing' } | CollectTask

/** A task of a thread pool that leaves garbage in the old space behind, as a long document does. */
export default function litter({ kind }: LitterTask) {
  if (kind === 'litter') {
    const kept: unknown[] = []
    for (let times = 0; times < 1_200_000; times++) kept.push({ times, list: [times] })
  }
  if (kind === 'collect') collectGarbage()
  return { thread: threadSize() }
}
