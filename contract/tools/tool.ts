// How an MCP tool is declared. The gateway reads its scope, the service its input and hints. What it does is bound to
// its name in `service/mcp-tools/`: calls of operations, so that a tool can do nothing that HTTP callers cannot.
import type { TObject } from 'typebox'
import { collectionSegments, scopes, type CollectionSegment, type Scope } from '../scopes.ts'
import { batchItemsMax } from '../size-limits.ts'

/** What `x-mcp-toolsets` chooses from. `context`: tools about the workspace as a whole, such as search. */
export const toolsets = [...collectionSegments, 'context'] as const
export type Toolset = (typeof toolsets)[number]

/** `byType`: the tool works on objects of any kind; its argument `type` names the segment of the scope. */
type ToolScope = Scope | null | { readonly byType: 'read' | 'write' | 'delete' }

/** `<segment>.<action>`, but for `whoami`. Each has a runner in `service/mcp/tools/run-tool.ts`. */
export type ToolName =
  | `${CollectionSegment}.${'list' | 'get' | 'create' | 'update'}`
  | `objects.${'delete' | 'restore' | 'count' | 'bulk'}`
  | `comments.${'list' | 'create'}`
  | 'changes.list'
  | 'search.query'
  | 'whoami'

export type Tool = {
  readonly name: ToolName
  readonly title: string
  /** For a model: what it does, when to use which other one instead, units, what comes back, an example of arguments. */
  readonly description: string
  readonly toolset: Toolset
  readonly scope: ToolScope
  /** As it is listed, and what calls are validated against: no `$ref`, no formats of our own, an object at its root. */
  readonly input: TObject
  /**
   * The input with the members of what it leaves open, such as `filter`, as the operation takes them: calls are read by
   * it, and it is not listed. `type`: the argument of this name.
   */
  readonly inputFor?: (type: unknown) => TObject
  /** Of an argument with enumerated values, the scope that a value needs: what a key lacks is left out of its list. */
  readonly valueScopes?: Readonly<Record<string, Readonly<Record<string, Scope>>>>
  /** Only where it says more than the input and the description do. */
  readonly output?: TObject
  /** The argument whose items count as a call each, as those of a batch do over HTTP. */
  readonly cost?: string
  readonly hints: { readonly readOnly: boolean; readonly destructive: boolean; readonly idempotent: boolean }
}

export type Arguments = Readonly<Record<string, unknown>>

/** The scope that this very call needs; null where it needs none, or where its arguments name none that exists. */
export function scopeOfCall({ scope }: Tool, { type }: Arguments): Scope | null {
  if (scope === null || typeof scope === 'string') return scope
  return scopes.find((each) => each === `${String(type)}:${scope.byType}`) ?? null
}

/** How many calls this one counts as for the rate limit. */
export function callsIn({ cost }: Tool, args: Arguments): number {
  const items = cost === undefined ? undefined : listIn(args[cost])
  return Array.isArray(items) ? Math.min(Math.max(items.length, 1), batchItemsMax) : 1
}

/** A list may come as JSON text (`lenient-arguments.ts`). */
function listIn(value: unknown): unknown {
  if (typeof value !== 'string' || !value.trimStart().startsWith('[')) return value
  try {
    return JSON.parse(value) as unknown
  } catch {
    return value
  }
}
