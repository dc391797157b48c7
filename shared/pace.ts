/**
 * Long work on the thread that serves everybody, in short steps: `rest` gives a promise to wait for when it is time to
 * let others run, and undefined otherwise.
 *
 *     const pace = createPace()
 *     for (const step of steps) {
 *       work(step)
 *       await pace.rest()
 *     }
 *
 * Where the clock stands still during work, as in a Worker, it never rests: an isolate serves one caller at a time.
 */
export interface Pace {
  rest(): Promise<void> | undefined
}

const stepMs = 10

export function createPace(): Pace {
  let since = performance.now()
  return {
    rest() {
      if (performance.now() - since < stepMs) return undefined
      return new Promise((resolve) =>
        setTimeout(() => {
          since = performance.now()
          resolve()
        }),
      )
    },
  }
}
