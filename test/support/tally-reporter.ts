// Prints the counts of a run as its last line, after the names of what passed only at the second try.
import type { Reporter, TestModule } from 'vitest/node'

export default class Tally implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly unknown[]): void {
    const counts = { passed: 0, failed: unhandled.length, skipped: 0, pending: 0 }
    for (const module of modules) {
      // A file that does not load has no tests to count.
      counts.failed += module.errors().length
      for (const test of module.children.allTests()) {
        counts[test.result().state] += 1
        if (test.diagnostic()?.flaky)
          console.log(`passed at the second try: ${module.relativeModuleId} > ${test.fullName}`)
      }
    }
    console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`)
  }
}
