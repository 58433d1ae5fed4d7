// With which code a request was refused: noted where the refusal is answered, read where the request is counted. It
// stays with the response, which both have.
import type { ServerResponse } from 'node:http'

const key = Symbol('refusal')
type Refused = ServerResponse & { [key]?: string }

export function noteRefusal(response: ServerResponse, code: string): void {
  ;(response as Refused)[key] = code
}

/** Returns null for what was not refused here. */
export const refusalOf = (response: ServerResponse): string | null => (response as Refused)[key] ?? null
