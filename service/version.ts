// Optimistic concurrency: a change that names the version it was made for is refused when that is no longer the one.
import { Fault } from '#contract/fault.ts'

export function assertVersion(current: number, expected: number | undefined): void {
  if (expected === undefined || expected === current) return
  throw new Fault('version_mismatch', `The object has version ${current} by now, not ${expected}.`, {
    currentVersion: current,
  })
}
