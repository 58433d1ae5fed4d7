// The cost of a call: how many calls and tokens of the rate limit it counts as. It is known from its headers before a
// byte of its body is read, or from its body before anything of it runs.
import type { IncomingHttpHeaders } from 'node:http'
import { batchItemsMax } from '#contract/collection/batch.ts'
import { mcpBodyBytesMax } from '#contract/faults/json-rpc.ts'
import { bodyBytesPerCall } from '#contract/rate-limits.ts'
import { parsedJson } from '../request/body.ts'

/** `tokens`: as many as there are calls, or more where the body is large. */
export type Cost = { readonly calls: number; readonly tokens: number }

export const costOfCall = (tokens: number): Cost => ({ calls: 1, tokens })

/** `body` is null when it was too large to read. */
export const costOfMcp = ({ calls }: Omit<Cost, 'tokens'>, body: Buffer | null): Cost => ({
  calls,
  tokens: Math.max(calls, tokensFor(body?.length ?? mcpBodyBytesMax)),
})

export const tokensFor = (bytes: number): number => Math.max(1, Math.ceil(bytes / bodyBytesPerCall))

/** A body that is longer than permitted is refused for that, and costs no more than the longest. */
export const declaredTokens = (headers: IncomingHttpHeaders, bytesMax: number): number =>
  tokensFor(Math.min(Number(headers['content-length'] ?? 0), bytesMax))

/** Returns how many calls a batch counts as. A body without countable items counts as one; the service refuses it. */
export function batchItemsIn(body: Buffer): number {
  const parsed = parsedJson(body) as { readonly items?: unknown } | null | undefined
  const items = parsed?.items
  return Array.isArray(items) ? Math.min(Math.max(items.length, 1), batchItemsMax) : 1
}
