// How an MCP tool is declared. The gateway reads its scope, the service its input and hints. What it does is bound to
// its name in `service/mcp/tools/`: calls of operations, so that a tool can do nothing that HTTP callers cannot.
import { type TObject, Type, type TSchema } from 'typebox'
import { collectionSegments, scopes, type CollectionSegment, type Scope } from '../scopes.ts'
import { batchItemsMax } from '../collection/batch.ts'
import { type SchemaNode, isNull } from '../json-schema.ts'

// The input of an operation as a tool lists it: every token of it is paid for by each conversation. Formats, patterns
// and bounds are left out, since the operation still validates them and says what is wrong in a sentence.

/** `description` in place of the schema's own. */
export function listed(schema: TSchema, description?: string): TSchema {
  const text = description ?? described(schema)
  return { ...shape(schema), ...(text !== undefined && { description: text }) }
}

/** The same without null, its members too: in a call that creates, what is left out is null. */
export function withoutNull(schema: TSchema): TSchema {
  const { anyOf = [] } = schema as SchemaNode
  const others = anyOf.filter((each) => !isNull(each))
  const kept: TSchema & SchemaNode = others.length === 1 && others.length < anyOf.length ? others[0]! : schema
  if (kept.properties === undefined) return kept
  const members = Object.entries(kept.properties).map(([name, each]) => [name, withoutNull(each)])
  return { ...kept, properties: Object.fromEntries(members) }
}

function shape(schema: SchemaNode): TSchema {
  const { type, anyOf, items, properties } = schema
  if (schema.enum !== undefined) return Type.Unsafe({ type: 'string', enum: schema.enum })
  if (anyOf !== undefined) return Type.Unsafe({ anyOf: anyOf.map((each) => listed(each)) })
  if (type === 'array') return Type.Unsafe({ type, items: listed(items ?? {}) })
  if (type === 'object' && properties !== undefined) return Type.Unsafe({ type, properties: listedAll(properties) })
  return Type.Unsafe({ type })
}

const listedAll = (properties: Readonly<Record<string, TSchema>>) =>
  Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, listed(each)]))

/** The texts of days and times say what no format says any more. */
function described({ format }: SchemaNode): string | undefined {
  if (format === 'date') return 'YYYY-MM-DD'
  if (format === 'date-time') return 'RFC 3339'
  return undefined
}

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
  /**
   * For a model: what it does, when to use which other one instead, units, what comes back, an example of arguments.
   */
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

// The arguments that tools have alike.

export const maxTokensDefault = 6_000
/** Some clients cut answers at 25,000 tokens; a single long text may need more. */
const maxTokensMax = 100_000

export const answerArguments = {
  detail: Type.Optional(words(['concise', 'full'])),
  maxTokens: Type.Optional(
    Type.Integer({
      minimum: 500,
      maximum: maxTokensMax,
      description: `Longest response, default ${maxTokensDefault}`,
    }),
  ),
}

export const idempotencyKey = {
  idempotencyKey: Type.Optional(
    Type.String({ minLength: 1, maxLength: 255, description: 'A repeated call with the same key acts once' }),
  ),
}

export const expectedVersion = {
  expectedVersion: Type.Optional(Type.Integer({ minimum: 1, description: 'Refuse if the version differs' })),
}

export const dryRun = { dryRun: Type.Optional(Type.Boolean({ description: 'Check only, change nothing' })) }

/** Arguments of an update that are no fields of the object: null clears nothing there. */
export const controls: ReadonlySet<string> = new Set([
  ...Object.keys({ ...idempotencyKey, ...expectedVersion, ...dryRun }),
  'edits',
  'section',
])

export const textList = (description: string): TSchema => Type.Optional(Type.Array(Type.String(), { description }))

/** Of a tool whose scope is by type. */
export const typeArgument = () => words(collectionSegments)

/** An enumeration with its type, which some clients ask for. */
export function words<W extends string>(values: readonly W[]) {
  return Type.Unsafe<W>({ type: 'string', enum: [...values] })
}
