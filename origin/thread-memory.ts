/**
 * The memory of threads. V8 ends the whole process, not the thread, when one allocation exceeds the limit of a heap
 * by more than the 16 MB that Node adds at that moment (`Worker::NearHeapLimit`): a map that grows or a large array
 * is enough. The limit of V8 is therefore set far above ours, which is enforced by measuring the heaps from outside.
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { ResourceLimits, Worker } from 'node:worker_threads'

const megabyte = 1_048_576

/** The fraction of the live data by which V8 lets the old space of a heap grow before it collects garbage. */
const garbageShare = 0.5
/**
 * What a thread can allocate at most between a measurement of its heap and its termination, in MB: one array, string
 * or map as large as V8 allows (1 GB), and what is written meanwhile. It is only address space, of which hardly any
 * is ever used.
 */
const burstMb = 2048
/** Interval at which the heaps of busy threads are measured. A measurement costs both threads some 50 µs. */
const watchMs = 50

// By default V8 lets garbage grow to three times the live data, and a measurement from outside cannot distinguish the
// two.
setFlagsFromString(`--heap-growing-percent=${garbageShare * 100}`)
// The flag of the process that serves (`serverFlags`) would replace the limit that a thread is given.
setFlagsFromString('--max-semi-space-size=0')
// The global function `gc` of threads that start from now on, for `collectGarbage`.
setFlagsFromString('--expose-gc')

/** Buffers of the serving thread below this size are not worth a collection. */
const worthCollectingMb = 32

let collect: NodeJS.GCFunction | undefined

/**
 * Frees the last large bodies, whose buffers V8 keeps while the thread that serves is idle. That takes some 30 ms. The contexts
 * that existed before the flag was set have no function for it.
 */
export function collectServingThread(): void {
  if (process.memoryUsage().arrayBuffers < worthCollectingMb * megabyte) return
  collect ??= runInNewContext('gc') as NodeJS.GCFunction
  collect({ type: 'major', execution: 'sync' })
}

/**
 * The limits of V8 for a thread that may keep `memoryMb` alive. `newSpaceMb` is the size to which its new space grows under load,
 * and which it keeps then; V8 itself would take 96 MB.
 */
export function resourceLimitsOf(memoryMb: number, newSpaceMb: number): ResourceLimits {
  const maxOldGenerationSizeMb = memoryMb * (1 + garbageShare) + burstMb
  return { maxOldGenerationSizeMb, maxYoungGenerationSizeMb: newSpaceMb }
}

/** The error of a thread that grew beyond its limit, with the code that Node has for it. */
class ThreadOutOfMemory extends Error {
  override readonly name = 'ThreadOutOfMemory'
  readonly code = 'ERR_WORKER_OUT_OF_MEMORY'
}

export interface MemoryWatch {
  /** Begins to measure the threads, unless that is already happening. It ends when `isBusy` returns false. */
  begin(): void
  end(): void
}

/**
 * Watches the heaps of threads, buffers included, while they are busy. One that keeps more than `memoryMb` alive gets an error
 * event, as from Node, for which its pool terminates it.
 */
export function watchMemory(
  memoryMb: number,
  { threads, isBusy }: { readonly threads: () => readonly Worker[]; readonly isBusy: () => boolean },
): MemoryWatch {
  const maxBytes = memoryMb * (1 + garbageShare) * megabyte
  /** Threads that have not answered yet, and those that have been terminated. */
  const pending = new WeakSet<Worker>()
  let timer: ReturnType<typeof setInterval> | undefined

  async function measure(thread: Worker): Promise<void> {
    if (pending.has(thread)) return
    pending.add(thread)
    // A thread that starts or ends has no statistics.
    const heap = await thread.getHeapStatistics().catch(() => undefined)
    if (heap !== undefined && heap.used_heap_size + heap.external_memory > maxBytes)
      thread.emit('error', new ThreadOutOfMemory(`The thread kept more than ${memoryMb} MB.`))
    else pending.delete(thread)
  }

  function end(): void {
    clearInterval(timer)
    timer = undefined
  }

  return {
    begin() {
      timer ??= setInterval(() => {
        if (isBusy()) for (const thread of threads()) void measure(thread)
        else end()
      }, watchMs).unref()
    },
    end,
  }
}
