// What a caller wants to see of the server, by headers of its request: only tools that read, only some toolsets, and how
// tools are named. What cannot be understood is refused: a caller who asks for less must not get more.
import type { IncomingHttpHeaders } from 'node:http'
import { Fault, type FieldError } from '#contract/faults/fault.ts'
import { toolNamesChoices } from '#contract/surface.ts'
import { toolNamesChoice, toolNamesHeader } from '#contract/tools/names.ts'
import { toolsets, type Toolset } from '#contract/tools/tool.ts'
import type { Principal } from '#contract/internal/principal.ts'
import type { Caller } from '../mcp-tools/exchange.ts'
import { didYouMean } from '../text/suggestion.ts'
import { hasStructuredContent } from './protocol-versions.ts'

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
