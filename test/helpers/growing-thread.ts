import { threadSize } from '../../origin/threads.ts'

const grow = {
  objects: (kept: unknown[]) => kept.push({ index: kept.length, list: [kept.length] }),
  // Each takes more than the 16 MB that Node adds to a heap at its limit.
  arrays: (kept: unknown[]) => kept.push(new Array(5_000_000).fill(1.5)),
  maps: (kept: unknown[]) =>
    kept.push(new Map(Array.from({ length: 700_000 }, (_, index) => [index, index]))),
  texts: (kept: unknown[]) =>
    kept.push(
      Array.from({ length: 40 }, () => 'äω'.repeat(400_000))
        .join('')
        .split('ω'),
    ),
  buffers: (kept: unknown[]) => kept.push(new Uint8Array(10_000_000).fill(1)),
} as const

export type Growth = keyof typeof grow

/** A task of a thread pool that keeps more and more memory, without end. Returns at once where it is to keep nothing. */
export default function keepMore(growth: Growth | 'nothing') {
  const kept: unknown[] = []
  if (growth !== 'nothing') for (;;) grow[growth](kept)
  return { thread: threadSize() }
}
