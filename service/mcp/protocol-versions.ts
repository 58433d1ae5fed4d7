// The protocol versions that are served. Those before 2026-07-28 begin with a handshake (`initialize`); from then on each
// request says in its `_meta` what it speaks.
import type { IncomingHttpHeaders } from 'node:http'
import { PROTOCOL_VERSION_META_KEY, UnsupportedProtocolVersionError } from '@modelcontextprotocol/server'
import { errorAnswer, idOf, type ErrorAnswer } from './json-rpc-messages.ts'

export const firstModernVersion = '2026-07-28'
/** The newest first: it is what `initialize` offers to a client that asks for a version which is not here. */
export const legacyVersions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']
const supported: readonly string[] = [firstModernVersion, ...legacyVersions]

/** The versions before `structuredContent` was added to tool results. */
const withoutStructuredContent: ReadonlySet<string | undefined> = new Set(['2025-03-26', '2024-11-05'])

export const versionHeader = (headers: IncomingHttpHeaders): string | undefined =>
  headers['mcp-protocol-version']?.toString().trim()

export const hasStructuredContent = (headers: IncomingHttpHeaders): boolean =>
  !withoutStructuredContent.has(versionHeader(headers))

/**
 * The error for a header that names a version which is not served; null otherwise. A message that names its version
 * itself is left to the SDK, which compares the two; `initialize` negotiates.
 */
export function versionError(headers: IncomingHttpHeaders, body: unknown): ErrorAnswer | null {
  const requested = versionHeader(headers)
  const { method, params } = (body ?? {}) as { method?: unknown; params?: { _meta?: object } | null }
  if (requested === undefined || supported.includes(requested) || method === 'initialize') return null
  if (params?._meta !== undefined && Object.hasOwn(params._meta ?? {}, PROTOCOL_VERSION_META_KEY)) return null
  const { code } = new UnsupportedProtocolVersionError({ supported: [], requested })
  const message = `This server does not speak MCP ${requested.slice(0, 40)}. It speaks ${supported.join(', ')}.`
  return errorAnswer(idOf(body), code, message, { supported, requested })
}
