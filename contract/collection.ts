// What every collection of resources offers, declared once for all of them: list, get, create, change, delete, restore,
// the same three by the caller's own ids, batch and count.
import { Type, type TObject, type TProperties, type TSchema } from 'typebox'
import { event, type Event } from './event.ts'
import type { FaultCode } from './fault.ts'
import { ExternalId, ExternalSource, ExpectedVersion, Id, closed, optional } from './fields.ts'
import { batchItemsMax } from './limits.ts'
import { operation } from './operation.ts'
import { sparsePageOf } from './page.ts'
import { ProblemBody } from './problem.ts'
import { commonFilters, expandInput, pageGrammar } from './query.ts'
import type { Segment } from './scope.ts'

export type CollectionSegment = Extract<Segment, 'projects' | 'tasks' | 'crm-entities' | 'documents'>

/** The events in the life of each of them. */
export function lifecycle<S extends CollectionSegment, R extends TSchema>(
  segment: S,
  resource: R,
  one: string,
  note = '',
) {
  const saying = (sentence: string): string => `${sentence} ${note}`.trimEnd()
  return {
    created: event(`${segment}.created` as const, resource, saying(`A ${one} was created.`)),
    updated: event(`${segment}.updated` as const, resource, saying(`A ${one} was changed.`)),
    deleted: event(`${segment}.deleted` as const, resource, saying(`A ${one} was deleted.`)),
    restored: event(`${segment}.restored` as const, resource, saying(`A deleted ${one} was restored.`)),
  }
}

/** The resource with what `expand` may put beside it. */
export const expandable = <P extends TProperties, X extends TProperties>(resource: TObject<P>, expansions: X) =>
  closed({ ...resource.properties, ...optional(expansions) })

type Declaration<
  S extends CollectionSegment,
  R extends TSchema,
  G extends TSchema,
  A extends TProperties,
  C extends TProperties,
  P extends TProperties,
  F extends TProperties,
  E extends Record<'created' | 'updated' | 'deleted' | 'restored', Event>,
  B extends TSchema,
> = {
  readonly segment: S
  /** As in `a project`; and of several, where that is not the segment's words. */
  readonly one: string
  readonly many?: string
  readonly resource: R
  /** The resource without what is too large to be repeated, where there is such a field: what batches answer. */
  readonly brief?: B
  /** What get answers: the resource with its expansions. */
  readonly shown: G
  /** Every field that a list can show, whatever the kind. */
  readonly fields: A
  readonly expansions: readonly string[]
  readonly create: C
  readonly patch: P
  readonly filters: F
  readonly sorts: readonly string[]
  readonly groups: readonly string[]
  readonly events: E
  readonly bodyBytesMax?: number
  /** Refusals of its own, of whatever gives one its values. */
  readonly writeErrors?: readonly FaultCode[]
}

export function collection<
  const S extends CollectionSegment,
  R extends TSchema,
  G extends TSchema,
  A extends TProperties,
  C extends TProperties,
  P extends TProperties,
  F extends TProperties,
  E extends Record<'created' | 'updated' | 'deleted' | 'restored', Event>,
  B extends TSchema = R,
>(declared: Declaration<S, R, G, A, C, P, F, E, B>) {
  const { segment, one, resource, shown, fields, expansions, filters, events } = declared
  const path = `/${segment}` as const
  const read = `${segment}:read` as const
  const write = `${segment}:write` as const
  const { many = segment.replace('-', ' '), writeErrors = [] } = declared
  const externalPath = { source: ExternalSource, externalId: ExternalId }
  const { bodyBytesMax } = declared
  const large = bodyBytesMax === undefined ? {} : { bodyBytesMax }
  const { externalSource: _source, externalId: _id, ...upsertBody } = declared.create

  return {
    list: operation({
      name: `${segment}.list` as const,
      http: `GET ${path}`,
      summary: `List ${many}`,
      description:
        'Newest first unless sorted otherwise. `updatedAt` rises with every change in the workspace: sorted by it, with `updatedAfter` as the last one seen, nothing is missed.',
      scope: read,
      input: closed({
        ...pageGrammar(declared.sorts, Object.keys(fields), expansions),
        ...commonFilters,
        ...filters,
      }),
      output: sparsePageOf(fields),
      success: 200,
      errors: ['invalid_cursor', 'cursor_mismatch', 'insufficient_scope'],
      tool: { destructive: false, idempotent: true },
    }),
    get: operation({
      name: `${segment}.get` as const,
      http: `GET ${path}/{id}`,
      summary: `Get a ${one}`,
      description: `One ${one} by its id.`,
      scope: read,
      input: closed({ id: Id, ...expandInput(expansions) }),
      output: shown,
      success: 200,
      errors: ['not_found', 'insufficient_scope'],
      tool: { destructive: false, idempotent: true },
    }),
    create: operation({
      name: `${segment}.create` as const,
      http: `POST ${path}`,
      summary: `Create a ${one}`,
      description: 'What is left out gets its default.',
      scope: write,
      input: closed(declared.create),
      output: resource,
      success: 201,
      errors: ['duplicate', 'reference_not_found', 'project_archived', ...writeErrors],
      emits: [events.created as E['created']],
      tool: { destructive: false, idempotent: false },
      ...large,
    }),
    update: operation({
      name: `${segment}.update` as const,
      http: `PATCH ${path}/{id}`,
      summary: `Change a ${one}`,
      description: 'A JSON Merge Patch: fields left out stay, null clears, arrays replace.',
      scope: write,
      input: closed({ id: Id, expectedVersion: Type.Optional(ExpectedVersion), ...declared.patch }),
      output: resource,
      success: 200,
      errors: [
        'not_found',
        'duplicate',
        'invalid_transition',
        'reference_not_found',
        'version_mismatch',
        'project_archived',
        ...writeErrors,
      ],
      emits: [events.updated as E['updated']],
      tool: { destructive: false, idempotent: true },
      ...large,
    }),
    remove: operation({
      name: `${segment}.delete` as const,
      http: `DELETE ${path}/{id}`,
      summary: `Delete a ${one}`,
      description: 'It can be restored for 30 days. Deleting it again changes nothing.',
      scope: `${segment}:delete` as const,
      input: closed({ id: Id, expectedVersion: Type.Optional(ExpectedVersion) }),
      output: Type.Null(),
      success: 204,
      errors: ['not_found', 'version_mismatch', 'project_archived'],
      emits: [events.deleted as E['deleted']],
    }),
    restore: operation({
      name: `${segment}.restore` as const,
      http: `POST ${path}/{id}/restore`,
      summary: `Restore a deleted ${one}`,
      description: 'Brings it back in the state that it had, within 30 days of its deletion.',
      scope: write,
      input: closed({ id: Id }),
      output: resource,
      success: 200,
      errors: ['not_found', 'not_deleted', 'purged', 'invalid_transition', 'project_archived'],
      emits: [events.restored as E['restored']],
    }),
    getByExternalId: operation({
      name: `${segment}.get-by-external-id` as const,
      http: `GET ${path}/by-external-id/{source}/{externalId}`,
      summary: `Get a ${one} by your own id`,
      description: `One ${one} by the id that it has in the system it came from.`,
      scope: read,
      input: closed({ ...externalPath, ...expandInput(expansions) }),
      output: shown,
      success: 200,
      errors: ['not_found', 'insufficient_scope'],
    }),
    upsert: operation({
      name: `${segment}.upsert` as const,
      http: `PUT ${path}/by-external-id/{source}/{externalId}`,
      summary: `Create or change a ${one} by your own id`,
      description:
        '201 where it was made. Where it exists the given fields are set and the others stay; `If-None-Match: *` then refuses.',
      scope: write,
      input: closed({
        ...externalPath,
        expectedVersion: Type.Optional(ExpectedVersion),
        createOnly: Type.Optional(Type.Boolean({ default: false, description: 'Refuse where it exists.' })),
        ...upsertBody,
      }),
      output: resource,
      success: 200,
      creates: true,
      errors: [
        'not_found',
        'duplicate',
        'invalid_transition',
        'reference_not_found',
        'version_mismatch',
        'project_archived',
        ...writeErrors,
      ],
      emits: [events.created as E['created'], events.updated as E['updated']],
      ...large,
    }),
    removeByExternalId: operation({
      name: `${segment}.delete-by-external-id` as const,
      http: `DELETE ${path}/by-external-id/{source}/{externalId}`,
      summary: `Delete a ${one} by your own id`,
      description: 'It can be restored for 30 days. Deleting it again changes nothing.',
      scope: `${segment}:delete` as const,
      input: closed({ ...externalPath, expectedVersion: Type.Optional(ExpectedVersion) }),
      output: Type.Null(),
      success: 204,
      errors: ['not_found', 'version_mismatch', 'project_archived'],
      emits: [events.deleted as E['deleted']],
    }),
    batch: operation({
      name: `${segment}.batch` as const,
      http: `POST ${path}/batch`,
      summary: `Change many ${many} at once`,
      description: `Up to ${batchItemsMax} items, each with an outcome of its own; with \`atomic\`, all or none. \`data\` is as in the call of that name. Each item counts as one request.`,
      scope: write,
      input: closed({ atomic: Type.Optional(Type.Boolean({ default: false })), items: BatchItems }),
      output: closed({ results: Type.Array(batchResult(declared.brief ?? resource), { maxItems: batchItemsMax }) }),
      success: 200,
      errors: ['too_many_items', 'batch_failed'],
      emits: [
        events.created as E['created'],
        events.updated as E['updated'],
        events.deleted as E['deleted'],
        events.restored as E['restored'],
      ],
      ...large,
    }),
    count: operation({
      name: `${segment}.count` as const,
      http: `GET ${path}/count`,
      summary: `Count ${many}`,
      description: 'How many match, and by the value of one field. Takes the filters of the list.',
      scope: read,
      input: closed({ ...commonFilters, ...filters, groupBy: Type.Optional(Type.Enum([...declared.groups])) }),
      output: closed({
        total: Type.Integer({ minimum: 0 }),
        groups: Type.Array(
          closed({ value: Type.Union([Type.String(), Type.Null()]), count: Type.Integer({ minimum: 1 }) }),
          { maxItems: 1_000, description: 'Largest first; empty without `groupBy`.' },
        ),
      }),
      success: 200,
    }),
  }
}

/** Held loosely: each item is checked as the call that it stands for, and answered on its own. */
const BatchItems = Type.Array(
  closed({
    action: Type.Enum(['create', 'update', 'upsert', 'delete', 'restore']),
    id: Type.Optional(Type.String({ maxLength: 100 })),
    externalSource: Type.Optional(Type.String({ maxLength: 200 })),
    externalId: Type.Optional(Type.String({ maxLength: 1_000 })),
    expectedVersion: Type.Optional(Type.Integer({ minimum: 1, maximum: 2_147_483_647 })),
    data: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  }),
  { minItems: 1, maxItems: batchItemsMax },
)

const batchResult = <R extends TSchema>(resource: R) =>
  closed({
    index: Type.Integer({ minimum: 0, maximum: batchItemsMax - 1 }),
    status: Type.Integer({ minimum: 200, maximum: 599 }),
    data: Type.Optional(Type.Union([resource, Type.Null()])),
    problem: Type.Optional(ProblemBody),
  })
