// How many tokens of the rate limit a call takes by the body that it brings, known before a byte of it is read.
import type { IncomingHttpHeaders } from 'node:http'
import { bodyBytesPerCall } from '#contract/size-limits.ts'

export const tokensFor = (bytes: number): number => Math.max(1, Math.ceil(bytes / bodyBytesPerCall))

/** One that is longer than permitted is refused for that, and takes no more than the longest. */
export const declaredTokens = (headers: IncomingHttpHeaders, bytesMax: number): number =>
  tokensFor(Math.min(Number(headers['content-length'] ?? 0), bytesMax))
