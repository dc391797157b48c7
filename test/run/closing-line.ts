import type { Reporter, TestModule } from 'vitest/node'

/** Ends the run with one plain line over all suites and runtimes. */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const count = { passed: 0, failed: 0, skipped: 0 }
    for (const module of modules) {
      const broken = module.state() === 'failed' && module.errors().length > 0
      if (broken) count.failed++
      for (const test of module.children.allTests()) {
        const state = test.result().state
        if (state === 'passed') count.passed++
        else if (state === 'failed') count.failed++
        else count.skipped++
      }
    }
    if (errors.length > 0) count.failed += errors.length
    process.on('exit', () => {
      console.log(`${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`)
    })
  }
}
