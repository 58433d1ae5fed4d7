// The caller of a message, by the headers of its request: only tools that read, only some toolsets, how tools are
// named, the protocol version, and the trace. A header that cannot be understood is refused: a caller who asks for less
// must not get more.
import type { IncomingHttpHeaders } from 'node:http'
import {
  PROTOCOL_VERSION_META_KEY,
  UnsupportedProtocolVersionError,
  TRACEPARENT_META_KEY,
  TRACESTATE_META_KEY,
} from '@modelcontextprotocol/server'
import { v4 as uuid } from 'uuid'
import { Fault, type FieldError } from '#contract/faults/fault.ts'
import type { Principal } from '#contract/internal/principal.ts'
import { toolNamesChoices } from '#contract/surface.ts'
import {
  toolNamesChoice,
  toolNamesHeader,
  clientNameIn,
  decidedNamingHeader,
  namingBy,
  sessionIdFor,
  type Naming,
} from '#contract/tools/names.ts'
import { toolsets, type Toolset } from '#contract/tools/tool.ts'
import { readTraceparent, readTracestate } from '#runtime/tracing/trace-context.ts'
import { didYouMean } from '../validation/unknown-field.ts'
import { errorAnswer, idOf, type ErrorAnswer, type Message } from './json-rpc.ts'
import type { Caller, TraceContext } from './tools/runner.ts'

const switches: Readonly<Record<string, boolean>> = { '1': true, true: true, '0': false, false: false }

export function callerOf(principal: Principal, headers: IncomingHttpHeaders, naming: Caller['naming']): Caller {
  assertIsChoice(valueOf(headers, toolNamesHeader))
  return {
    principal,
    isReadonly: isReadonly(valueOf(headers, 'x-mcp-readonly')),
    toolsets: toolsetsIn(valueOf(headers, 'x-mcp-toolsets')),
    naming,
    hasStructuredContent: hasStructuredContent(headers),
  }
}

function isReadonly(value: string | undefined): boolean {
  if (value === undefined) return false
  const found = switches[value.toLowerCase()]
  return found ?? refuse('x-mcp-readonly', '`true` or `false`', Object.keys(switches))
}

function toolsetsIn(value: string | undefined): ReadonlySet<Toolset> | null {
  if (value === undefined) return null
  const named = value.split(',').map((name) => name.trim())
  const unknown = named.find((name) => !isToolset(name))
  if (unknown === undefined) return new Set(named.filter(isToolset))
  const guess = didYouMean(unknown, toolsets)
  return refuse(
    'x-mcp-toolsets',
    `toolsets, separated by commas. \`${unknown.slice(0, 40)}\` is none.${guess}`,
    toolsets,
  )
}

function assertIsChoice(value: string | undefined): void {
  if (value === undefined || toolNamesChoice(value) !== undefined) return
  refuse(toolNamesHeader, '`auto`, `dots` or `underscores`', toolNamesChoices)
}

const isToolset = (name: string): name is Toolset => toolsets.some((each) => each === name)

const valueOf = (headers: IncomingHttpHeaders, name: string): string | undefined => {
  const given = headers[name]
  const value = Array.isArray(given) ? given.join(',') : given
  return value?.trim() || undefined
}

function refuse(header: string, what: string, allowed: FieldError['allowed'] = []): never {
  const detail = `The header ${header} takes ${what}${what.endsWith('?') || what.endsWith('.') ? '' : '.'}`
  throw new Fault('invalid_header', detail, { errors: [{ header, code: 'not_in_list', detail, allowed }] })
}

/**
 * Tools are named as the gateway has decided, which also knows the key's choice and what clients said earlier. The
 * message itself counts where no gateway has decided, as in a release before this one.
 */
export function namingFor(headers: IncomingHttpHeaders, body: unknown): Naming {
  const chosen = toolNamesChoice(textOf(headers[decidedNamingHeader]) || textOf(headers[toolNamesHeader]))
  const sessionId = textOf(headers['mcp-session-id'])
  return namingBy({ chosen, client: clientNameIn(body), sessionId }) ?? 'dots'
}

/** For the answer to `initialize`; null where the client has not named itself. */
export function newSessionId(body: unknown): string | null {
  const client = clientNameIn(body)
  return client === null ? null : sessionIdFor(client, uuid())
}

const textOf = (value: string | string[] | undefined): string => [value].flat()[0]?.trim() ?? ''

// The protocol versions that are served. Those before 2026-07-28 begin with a handshake (`initialize`); from then on
// each request says in its `_meta` what it speaks.
export const firstModernVersion = '2026-07-28'
/** The newest first: it is what `initialize` offers to a client that asks for a version which is not here. */
export const legacyVersions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']
const supported: readonly string[] = [firstModernVersion, ...legacyVersions]

/** The versions before `structuredContent` was added to tool results. */
const withoutStructuredContent: ReadonlySet<string | undefined> = new Set(['2025-03-26', '2024-11-05'])

export const versionHeader = (headers: IncomingHttpHeaders): string | undefined =>
  headers['mcp-protocol-version']?.toString().trim()

const hasStructuredContent = (headers: IncomingHttpHeaders): boolean =>
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

/** W3C Trace Context of a message, which MCP carries in `_meta`. Text that is not of its form is ignored. */
export function traceContextOf({ params }: Message): TraceContext | undefined {
  const { _meta: meta } = (params ?? {}) as { readonly _meta?: Readonly<Record<string, unknown>> }
  const traceparent = readTraceparent(meta?.[TRACEPARENT_META_KEY])
  const tracestate = readTracestate(meta?.[TRACESTATE_META_KEY])
  if (traceparent === null) return undefined
  return { traceparent, ...(tracestate !== null && { tracestate }) }
}
