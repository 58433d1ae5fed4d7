// What a rule refuses, for tests that look at the refusal.
import { Fault } from '#contract/faults/fault.ts'

/** The fault that is thrown, or null. */
export function faultOf(act: () => unknown): Fault | null {
  try {
    act()
    return null
  } catch (thrown) {
    if (thrown instanceof Fault) return thrown
    throw thrown
  }
}
export const codeOf = (act: () => unknown): string | null => faultOf(act)?.code ?? null
export const errorsOf = (act: () => unknown): Fault['members']['errors'] | null => faultOf(act)?.members.errors ?? null
