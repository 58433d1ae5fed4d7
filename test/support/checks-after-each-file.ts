// Checks that run after all tests of each file. Modules are loaded once by each worker, so a module that calls
// `afterAll` when it is loaded would be heard in one file only.
import { afterAll } from 'vitest'

const checks: (() => void)[] = []

/** From then on; by a module when it is loaded. */
export const checkAfterEachFile = (check: () => void): void => {
  checks.push(check)
}

/** By the setup of each file. */
export const runChecksAfterFile = (): void => {
  afterAll(() => {
    for (const check of checks) check()
  })
}
