// With what the gateway has refused a request: noted where the refusal is answered, read where the request is counted and
// kept. It stays with the response, which both have.
import type { ServerResponse } from 'node:http'
import type { Fault } from '#contract/faults/fault.ts'

const key = Symbol('refused')
type Refused = ServerResponse & { [key]?: Fault }

export const noteFault = (response: ServerResponse, fault: Fault): void => void ((response as Refused)[key] = fault)

/** Null for what was answered, by the service or from here. */
export const faultNotedOn = (response: ServerResponse): Fault | null => (response as Refused)[key] ?? null
