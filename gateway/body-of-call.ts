// The body of a call with a key. What it takes of the limits is known before it is read or, where its length is not
// declared and of a batch, before anything of it runs.
import type { IncomingMessage } from 'node:http'
import type { Operation } from '#contract/operation.ts'
import type { MaybePromise } from '#runtime/maybe-promise.ts'
import { type Body, hasBody } from './overload/request-bodies.ts'
import { smallBodyBytesMax } from './overload/overload-protection.ts'
import { batchItemsIn, declaredTokens, tokensFor } from './rate-limit/call-cost.ts'
import { consumeMore, giveBack } from './rate-limit/limiter.ts'
import { useOf } from './reports/key-usage.ts'
import type { IncomingCall } from './request/incoming-call.ts'
import type { Serving } from './serving.ts'
import type { Admitted } from './upstream/signed-principal.ts'
import type { Policies } from './auth/policies.ts'

export const bodyOfCall = (
  call: IncomingCall,
  request: IncomingMessage,
  operation: Operation,
  admitted: Admitted,
  serving: Serving,
): MaybePromise<Body> => (hasBody(call.headers) ? readBodyOf(call, request, operation, admitted, serving) : null)

async function readBodyOf(
  call: IncomingCall,
  request: IncomingMessage,
  { bodyBytesMax: bytesMax, cost }: Operation,
  { principal }: Admitted,
  { policies, overload }: Serving,
): Promise<Body> {
  const { context, headers } = call
  const { rateLimiter } = policies
  const taken = declaredTokens(headers, bytesMax)
  // A body of unknown length counts as the largest until it is there.
  const onUndeclared = async () => {
    await consumeMore({ taken, needed: tokensFor(bytesMax) }, context, rateLimiter)
    return (bytes: number) => giveBack({ taken: tokensFor(bytesMax), needed: tokensFor(bytes) }, context, rateLimiter)
  }
  const onBytes = overload.countBytes(principal.id, context)
  const isBatch = cost !== undefined
  // A batch is read whole, whatever its size, and its tokens are consumed before any of it runs.
  const readBytesMax = isBatch ? bytesMax : smallBodyBytesMax
  const body = await overload.bodyOf(request, { bytesMax, readBytesMax, onBytes, onUndeclared })
  if (isBatch && body instanceof Buffer) await consumeBatch(body, taken, call, policies)
  return body
}

async function consumeBatch(
  body: Buffer,
  taken: number,
  call: IncomingCall,
  { rateLimiter, usage }: Policies,
): Promise<void> {
  const items = batchItemsIn(body)
  await consumeMore({ taken, needed: Math.max(items, tokensFor(body.length)) }, call.context, rateLimiter)
  // One was counted when the call came.
  if (items > 1) usage.count(useOf(call.context.keyId ?? '', items - 1, call))
}
