// Calls that wait for the password: one dialog asks, for all that wait at that moment.

type Waiting = { readonly answer: Promise<boolean>; settle(isConfirmed: boolean): void }

let waiting: Waiting | null = null
const listeners = new Set<() => void>()

/** Resolves with whether the password was given and right. */
export function askForPassword(): Promise<boolean> {
  if (waiting === null) {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    change({ answer: promise, settle: resolve })
    return promise
  }
  return waiting.answer
}

export function settleConfirmation(isConfirmed: boolean): void {
  waiting?.settle(isConfirmed)
  change(null)
}

export const isWaitingForPassword = (): boolean => waiting !== null

export function onConfirmationChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function change(next: Waiting | null): void {
  waiting = next
  for (const listener of listeners) listener()
}
