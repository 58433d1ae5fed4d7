// What a caller wants to see of the server, by headers of its request: only tools that read, only some toolsets, and
// tool names without dots. What cannot be understood is refused: a caller who asks for less must not get more.
import type { IncomingHttpHeaders } from 'node:http'
import { Fault, type FieldError } from '#contract/fault.ts'
import { toolsets, type Toolset } from '#contract/tools/tool.ts'
import type { Principal } from '#contract/internal/principal.ts'
import type { Caller } from '../mcp-tools/exchange.ts'
import { didYouMean } from '../text/suggestion.ts'
import { hasStructuredContent } from './protocol-versions.ts'

const namings = { dot: 'dots', underscore: 'underscores' } as const
const switches: Readonly<Record<string, boolean>> = { '1': true, true: true, '0': false, false: false }

/** `defaultNaming`: for callers who have not chosen. */
export function callerOf(principal: Principal, headers: IncomingHttpHeaders, defaultNaming: Caller['naming']): Caller {
  return {
    principal,
    isReadonly: isReadonly(valueOf(headers, 'x-mcp-readonly')),
    toolsets: toolsetsIn(valueOf(headers, 'x-mcp-toolsets')),
    naming: namingIn(valueOf(headers, 'x-mcp-tool-names')) ?? defaultNaming,
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

function namingIn(value: string | undefined): Caller['naming'] | undefined {
  if (value === undefined) return undefined
  if (value === 'dot' || value === 'underscore') return namings[value]
  return refuse('x-mcp-tool-names', '`dot` or `underscore`', Object.keys(namings))
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
