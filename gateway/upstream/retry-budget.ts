// How many calls are sent to a second address. Each of them is a call more for services that may have too many already,
// so they are a tenth of all calls, besides some that are saved up for the moment at which an address is lost.
export type RetryBudget = {
  /** Called for each call, when it is sent for the first time. */
  count(): void
  /** False when it is not to be sent again. */
  take(): boolean
  /** Calls that may be sent again now. */
  left(): number
}

const shareOfCalls = 0.1
export const savedMax = 64

export function retryBudget(): RetryBudget {
  let left = savedMax
  return {
    count: () => void (left = Math.min(savedMax, left + shareOfCalls)),
    take: () => {
      if (left < 1) return false
      left -= 1
      return true
    },
    left: () => Math.floor(left),
  }
}
