// What becomes of a call whose caller has gone or has waited long enough. Usually nobody is left to be told; no error of ours.
import { Fault } from '#contract/faults/fault.ts'

export const requestCancelled = (cause?: unknown): Fault =>
  new Fault('request_cancelled', 'The call was cancelled before it was done: nothing was changed.', {}, cause)
