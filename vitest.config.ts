import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import Tally from './test/support/tally-reporter.ts'

// Some tests start the product's processes: they load the same packages again and again.
process.env['NODE_COMPILE_CACHE'] ??= join(tmpdir(), 'wia-compile-cache')

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 120_000,
    // A shared machine can stand still for seconds. Only what waited in vain is tried once more, never what was wrong;
    // the tally names it.
    retry: { count: 1, condition: /^(?:Not seen within|Test timed out|(?:\S+: )?Timeout \d+ms exceeded)/ },
    hookTimeout: 240_000,
    expect: { poll: { timeout: 40_000 } },
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/before-each-file.ts'],
    pool: 'forks',
    // A module is loaded once by each worker, not once by each file, which was a third of all time. A test leaves
    // nothing behind that the next file could meet: no setting of the process, no timer, no promise that nobody waits
    // for.
    isolate: false,
    maxWorkers: 3,
    reporters: ['default', new Tally()],
  },
})
