// Refusals are known to gateways alone, which answer for them (gateway/refusals/kept-refusals.ts). What is asked here is
// what they do not know, or not any more.
import type { Handlers } from '../execution/call.ts'
import { notFoundById } from '../faults/shared-faults.ts'

export const refusalHandlers = {
  'refusals.get': () => Promise.reject(notFoundById('refusal of the last hour')),
} satisfies Partial<Handlers>
