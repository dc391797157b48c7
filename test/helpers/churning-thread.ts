import { getHeapSpaceStatistics } from 'node:v8'
import { threadSize } from '../../origin/threads.ts'

/** A task of a thread pool that makes much garbage, part of which lives for a while. Returns the size of the new space in bytes. */
export default function churn(rounds: number) {
  let recent: object[] = []
  for (let round = 0; round < rounds; round++) {
    recent = Array.from({ length: 100_000 }, (_, index) => ({
      round,
      index,
      before: recent[index] === undefined,
    }))
  }
  const newSpace = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')
  return { newSpaceBytes: newSpace?.space_size ?? 0, survivors: recent.length, thread: threadSize() }
}
