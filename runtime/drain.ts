// A process that was told to stop reports that it is not ready, and goes on serving for a while: load balancers that asked
// a moment ago still believe that it is ready.
import { setTimeout as after } from 'node:timers/promises'

export type Drain = {
  /** True from the moment at which the process was told to stop. */
  isDraining(): boolean
  /** Starts the drain. Resolves when its time is over. */
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
