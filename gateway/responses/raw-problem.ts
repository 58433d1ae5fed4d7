// A refusal as problem+json, written to a response that no framework knows of.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Fault } from '#contract/faults/fault.ts'
import { problem } from '#contract/faults/problem-details.ts'
import { noteFault } from '../request/noted-fault.ts'
import { discardRest } from '../request/read-body.ts'
import { pathOf } from '../request/target.ts'
import { errorHeaders } from './response-headers.ts'

type Refused = {
  /** Headers of the answer whoever gives it: name, value, name, value… */
  readonly own: readonly string[]
  readonly requestId: string
  readonly brand: string
  /** The connection ends with it. */
  readonly ends: boolean
}

export function answerProblem(
  request: IncomingMessage,
  response: ServerResponse,
  fault: Fault,
  { own, requestId, brand, ends }: Refused,
): void {
  discardRest(request)
  noteFault(response, fault)
  const body = JSON.stringify(problem(fault, requestId, pathOf(request.url ?? '')))
  const content = ['content-type', 'application/problem+json', 'content-length', String(Buffer.byteLength(body))]
  const ofFault = Object.entries(errorHeaders(fault, brand)).flat()
  const connection = ends && !ofFault.includes('connection') ? ['connection', 'close'] : []
  response.writeHead(fault.status, [...own, ...content, ...ofFault, ...connection]).end(body)
}
