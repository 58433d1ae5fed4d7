// With which code the gateway itself has refused a request: noted where the refusal is answered, read where the request
// is counted. It stays with the response, which both have.
import type { ServerResponse } from 'node:http'
import type { FaultCode } from '#contract/fault-codes.ts'

const key = Symbol('refusal')
type Refused = ServerResponse & { [key]?: FaultCode }

export const noteRefusal = (response: ServerResponse, code: FaultCode): void => void ((response as Refused)[key] = code)

/** Null for what was answered, by the service or from here. */
export const refusalOf = (response: ServerResponse): FaultCode | null => (response as Refused)[key] ?? null
