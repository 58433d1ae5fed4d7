// The context of a request that is under way. A class, because each request makes one: what all of them share is not made
// anew, and the signal only for a call that has to wait.
import type { Address } from '#runtime/ip-address.ts'
import type { Quota, RateSubject, RequestContext } from './request-context.ts'

export type OpenContext = RequestContext & {
  /** Called once, when the response has closed: with its last byte, or because the caller has disconnected. */
  close(isComplete: boolean): void
}

export const openContext = (requestId: string, address: Address | null): OpenContext => new Context(requestId, address)

class Context implements OpenContext {
  readonly requestId: string
  readonly address: Address | null
  keyId: string | null = null
  tool: string | null = null
  workspaceId: string | null = null
  rateSubject: RateSubject | null = null
  isOnAllowlist = false
  keyWarnings: Readonly<Record<string, string>> | null = null
  quota: Quota | null = null
  forwardedAt = 0
  answeredAt = 0
  isAborted = false
  isClosed = false
  #aborting: AbortController | null = null
  #onAbort: (() => void)[] = []
  #onClose: (() => void)[] = []

  constructor(requestId: string, address: Address | null) {
    this.requestId = requestId
    this.address = address
  }

  get signal(): AbortSignal {
    if (this.#aborting === null) {
      this.#aborting = new AbortController()
      if (this.isAborted) this.#aborting.abort()
    }
    return this.#aborting.signal
  }

  onAbort(callback: () => void): void {
    if (this.isAborted) callback()
    else this.#onAbort.push(callback)
  }

  onClose(callback: () => void): void {
    if (this.isClosed) callback()
    else this.#onClose.push(callback)
  }

  close(isComplete: boolean): void {
    this.isClosed = true
    if (!isComplete) this.#abort()
    for (const callback of this.#onClose) callback()
  }

  #abort(): void {
    this.isAborted = true
    this.#aborting?.abort()
    for (const callback of this.#onAbort) callback()
  }
}
