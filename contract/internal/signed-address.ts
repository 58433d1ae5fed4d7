// The signature of an address that stands in for a key. The service seals it, with the hash of the newest secret of the
// key that asked for it; the gateway opens it and judges the call as one with that key. So an address ends with its
// time, with its secret and with its key, and is no good for another method, path or workspace.
import type { Method } from '../operation.ts'

/** What the key that seals is derived for. */
export const addressPurpose = 'signed-addresses'

export type SignedAddress = {
  /** In hex. */
  readonly keyHash: string
  readonly workspaceId: string
  /** Milliseconds since 1970. */
  readonly expiresAt: number
}

/** What it was sealed for. `path`: without its query. */
export const addressContext = (method: Method, path: string): string => `${method} ${path}`
