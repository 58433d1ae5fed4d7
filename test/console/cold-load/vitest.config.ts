import { defineConfig } from 'vitest/config'

// Not part of the tests: `npm run cold-load` measures the documentation anew.
export default defineConfig({
  test: {
    include: ['test/console/cold-load/docs.ts'],
    testTimeout: 300_000,
    hookTimeout: 300_000,
    globalSetup: ['test/support/global-setup.ts'],
    execArgv: ['--liftoff-only'],
  },
})
