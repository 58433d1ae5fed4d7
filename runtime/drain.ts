// A process that is told to stop says so first, and serves on until those who send it calls have heard: whoever asked a
// moment ago still believes that it is ready.
import { setTimeout as after } from 'node:timers/promises'

export type Drain = {
  /** True from the moment at which the process was told to stop. */
  isDraining(): boolean
  /** Resolves when the process has served on for its time. */
  begin(): Promise<void>
}

export function drainFor(seconds: number): Drain {
  let isDraining = false
  return {
    isDraining: () => isDraining,
    begin: () => {
      isDraining = true
      return after(seconds * 1_000)
    },
  }
}
