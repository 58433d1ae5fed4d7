// The four tools that every collection has: list, get, create, update. Their arguments are those of the operations of
// the same names.
import { Type, type TObject, type TProperties, type TSchema } from 'typebox'
import type { Operation } from '../operation.ts'
import { answerFields } from '../route-paths.ts'
import { closed } from '../shared-fields.ts'
import type { CollectionSegment, Scope } from '../scopes.ts'
import {
  answerArguments,
  dryRun,
  expectedVersion,
  idempotencyKey,
  textList,
  type Tool,
  listed,
  withoutNull,
} from './tool.ts'

type Action = 'list' | 'get' | 'create' | 'update'
type ToolText = { readonly title: string; readonly description: string }

export type CollectionTools = {
  readonly segment: CollectionSegment
  readonly operations: Readonly<Record<Action, Operation>>
  readonly texts: Readonly<Record<Action, ToolText>>
  /** The filters that most calls need; the others are members of the argument `filter`. */
  readonly filters: readonly string[]
  /** Of arguments whose name does not say enough. */
  readonly descriptions: Readonly<Record<string, string>>
  /** The read scope that each value of `expand` needs. */
  readonly expansions: Readonly<Record<string, Scope>>
  /** Arguments that a tool has beside those of its operation. */
  readonly more?: { readonly get: TProperties; readonly update: TProperties }
}

/** Arguments of every list that no filter is. */
const ofPages = ['limit', 'cursor', 'sort', 'fields', 'expand', 'includeTotal']

export function collectionTools(declared: CollectionTools): readonly Tool[] {
  const { segment, texts, expansions } = declared
  const common = { toolset: segment, valueScopes: { expand: expansions } }
  const readable = withFilters(declared)
  const reads = { readOnly: true, destructive: false, idempotent: true }
  return [
    {
      name: `${segment}.list` as const,
      ...texts.list,
      ...common,
      scope: `${segment}:read` as const,
      input: listInput(declared),
      inputFor: () => readable,
      hints: reads,
    },
    {
      name: `${segment}.get` as const,
      ...texts.get,
      ...common,
      scope: `${segment}:read` as const,
      input: getInput(declared),
      hints: reads,
    },
    {
      name: `${segment}.create` as const,
      ...texts.create,
      toolset: segment,
      scope: `${segment}:write` as const,
      input: createInput(declared),
      hints: { readOnly: false, destructive: false, idempotent: false },
    },
    {
      name: `${segment}.update` as const,
      ...texts.update,
      toolset: segment,
      scope: `${segment}:write` as const,
      input: updateInput(declared),
      // An edit in the text that is made twice may do more than once.
      hints: { readOnly: false, destructive: true, idempotent: declared.more === undefined },
    },
  ]
}

/** The filters that stand in the argument `filter`. */
export const furtherFilters = ({ operations, filters }: CollectionTools): string[] =>
  Object.keys(operations.list.input.properties).filter((name) => ![...ofPages, 'q', ...filters].includes(name))

function listInput(declared: CollectionTools) {
  const { input } = declared.operations.list
  return closed({
    ...picked(declared, input.properties, ['q', ...declared.filters]),
    filter: Type.Optional(
      Type.Unsafe({ type: 'object', description: `Further filters: ${furtherFilters(declared).join(', ')}` }),
    ),
    ...picked(declared, input.properties, ['sort', 'expand']),
    fields: textList('Return only these'),
    includeTotal: Type.Optional(Type.Boolean({ description: 'Count all matches' })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, description: 'Default 20' })),
    cursor: Type.Optional(Type.String()),
    ...answerArguments,
  })
}

/** With the members of `filter` as the operation takes them. */
function withFilters(declared: CollectionTools) {
  const { properties } = declared.operations.list.input
  const filters = Object.fromEntries(furtherFilters(declared).map((name) => [name, properties[name]!]))
  return closed({ ...listInput(declared).properties, filter: Type.Optional(Type.Object(filters)) })
}

function getInput(declared: CollectionTools) {
  const { properties } = declared.operations.get.input
  return closed({
    ...picked(declared, properties, ['id', 'expand']),
    ...declared.more?.get,
    fields: textList('Return only these'),
    includeDeleted: Type.Optional(Type.Boolean()),
    ...answerArguments,
  })
}

function createInput(declared: CollectionTools) {
  const { input } = declared.operations.create
  const properties = Object.fromEntries(
    Object.entries(fieldsOf(input)).map(([name, schema]) => [name, kept(schema, withoutNull(schema))]),
  )
  return closed({ ...picked(declared, properties, Object.keys(properties)), ...idempotencyKey })
}

function updateInput(declared: CollectionTools) {
  const { expectedVersion: _version, ...properties } = fieldsOf(declared.operations.update.input)
  return closed({
    ...picked(declared, properties, Object.keys(properties)),
    ...declared.more?.update,
    ...expectedVersion,
    ...dryRun,
    ...idempotencyKey,
  })
}

/** What the answer to a change shows, the tool decides. Imports and several own ids are for programs, over HTTP. */
const fieldsOf = ({ properties }: TObject): TProperties =>
  Object.fromEntries(
    Object.entries(properties).filter(([name]) => !['imported', 'externalIds', ...answerFields].includes(name)),
  )

/** The schemas of these names as they are listed; optional ones stay optional. */
function picked({ descriptions }: CollectionTools, properties: TProperties, names: readonly string[]): TProperties {
  return Object.fromEntries(
    names.map((name) => [name, kept(properties[name]!, listed(properties[name]!, descriptions[name]))]),
  )
}

const kept = (original: TSchema, changed: TSchema): TSchema =>
  Type.IsOptional(original) ? Type.Optional(changed) : changed
