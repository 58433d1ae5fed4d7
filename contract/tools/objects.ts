// The tools that work on objects of any type: delete, restore, count, and many changes in one call.
import { Type, type TObject, type TProperties } from 'typebox'
import { countCrmEntities, updateCrmEntity } from '../crm-entities.ts'
import { countDocuments, updateDocument } from '../documents.ts'
import { countProjects, updateProject } from '../projects.ts'
import type { Operation } from '../operation.ts'
import type { CollectionSegment } from '../scopes.ts'
import { closed, nullable } from '../shared-fields.ts'
import { countTasks, updateTask } from '../tasks.ts'
import { dryRun, expectedVersion, idempotencyKey, typeArgument, words, type Tool } from './tool.ts'

/** Objects that one call deletes, restores or changes. */
export const toolItemsMax = 50

const ids = Type.Array(Type.String(), {
  minItems: 1,
  maxItems: toolItemsMax,
  description: 'Ids, identifiers (WEB-42), keys (WEB), own ids (ext:erp/17).',
})
const Count = Type.Integer({ minimum: 0 })

const outcomes = closed({
  dryRun: Type.Optional(Type.Boolean()),
  done: Count,
  refused: Count,
  outcomes: Type.Array(
    closed({
      index: Count,
      action: Type.Optional(Type.String()),
      id: Type.Optional(Type.String()),
      identifier: Type.Optional(Type.String()),
      externalSource: Type.Optional(Type.String()),
      externalId: Type.Optional(Type.String()),
      ok: Type.Boolean(),
      name: Type.Optional(Type.String()),
      version: Type.Optional(Count),
      code: Type.Optional(Type.String()),
      detail: Type.Optional(Type.String({ description: 'What was wrong, and what to change.' })),
    }),
  ),
})

const deleteTool: Tool = {
  name: 'objects.delete',
  title: 'Delete objects',
  description: `Deletes up to ${toolItemsMax} objects of one type. Each is deleted on its own: a rejected one does not stop the others. \`objects.restore\` restores them for 30 days. A deleted project hides its tasks and documents. To finish, cancel or archive an object, set its status with \`<type>.update\` instead. Send \`dryRun\` first: the response names what would be deleted. Returns one outcome for each id. Example: {"type":"tasks","ids":["WEB-42","WEB-43"],"dryRun":true}`,
  toolset: 'context',
  scope: { byType: 'delete' },
  input: closed({
    type: typeArgument(),
    ids,
    expectedVersion: Type.Optional({
      ...expectedVersion.expectedVersion,
      description: 'With one id only: fail if its version differs.',
    }),
    ...dryRun,
    ...idempotencyKey,
  }),
  output: outcomes,
  cost: 'ids',
  hints: { readOnly: false, destructive: true, idempotent: true },
}

const restoreTool: Tool = {
  name: 'objects.restore',
  title: 'Restore deleted objects',
  description: `Restores up to ${toolItemsMax} objects of one type that were deleted in the last 30 days. Each is restored on its own. It does not unarchive objects. For the ids of deleted objects, use \`changes.list\`. Example: {"type":"documents","ids":["0199a8f2-7c4e-7b6a-9d3f-2f1e5a6b7c8d"]}`,
  toolset: 'context',
  scope: { byType: 'write' },
  input: closed({ type: typeArgument(), ids, ...dryRun, ...idempotencyKey }),
  output: outcomes,
  cost: 'ids',
  hints: { readOnly: false, destructive: false, idempotent: true },
}

const counts = {
  projects: countProjects,
  tasks: countTasks,
  'crm-entities': countCrmEntities,
  documents: countDocuments,
}
const sums: Readonly<Record<string, string>> = { tasks: 'estimateMinutes', 'crm-entities': 'amount' }

const countInput = closed({
  type: typeArgument(),
  filter: Type.Optional(
    Type.Unsafe({
      type: 'object',
      description: 'The filters of `<type>.list`, and `q`',
    }),
  ),
  groupBy: Type.Optional(Type.Array(Type.String(), { minItems: 1, maxItems: 2, description: 'One field, or two.' })),
  sum: Type.Optional(words(Object.values(sums))),
  timeZone: Type.Optional(Type.String({ description: 'IANA name, for months' })),
})

const shownSums = Type.Optional(Type.Array(closed({ currency: nullable(Type.String()), sum: Type.String() })))

const countTool: Tool = {
  name: 'objects.count',
  title: 'Count objects',
  description: `Counts the objects of one type that match a filter, in total and by the values of one or two fields: for reports, pipelines by stage, workload. \`groupBy\` takes fields with few values (status, stage, ownerId, assigneeId, companyId, projectId, labels, industry), months (\`createdAt:month\`, \`dueDate:month\`) and \`customFields.<key>\`. \`sum\` adds up \`amount\` of deals, by currency, or \`estimateMinutes\` of tasks. Example: {"type":"crm-entities","filter":{"kind":["deal"],"stage":["!won","!lost"]},"groupBy":["stage"],"sum":"amount"}`,
  toolset: 'context',
  scope: { byType: 'read' },
  input: countInput,
  inputFor: byType(counts, countInput, ({ input }) => ({ filter: Type.Optional(input) })),
  output: closed({
    total: Count,
    sums: shownSums,
    groups: Type.Array(
      closed({
        value: nullable(Type.String()),
        values: Type.Optional(Type.Array(nullable(Type.String()))),
        name: Type.Optional(Type.String()),
        count: Count,
        sums: shownSums,
      }),
    ),
    truncated: Type.Optional(Type.Boolean()),
    moreGroups: Type.Optional(Count),
  }),
  hints: { readOnly: true, destructive: false, idempotent: true },
}

/** For each type the input with what its operation says of the members. */
function byType(
  operations: Readonly<Record<CollectionSegment, Operation>>,
  input: TObject,
  members: (operation: Operation) => TProperties,
): (type: unknown) => TObject {
  const inputs = new Map<unknown, TObject>(
    Object.entries(operations).map(([type, operation]) => [
      type,
      closed({ ...input.properties, ...members(operation) }),
    ]),
  )
  return (type) => inputs.get(type) ?? input
}

const item = closed({
  action: words(['create', 'update', 'upsert', 'delete', 'restore']),
  id: Type.Optional(Type.String({ description: 'For update, delete and restore: as in `ids` of `objects.delete`.' })),
  externalSource: Type.Optional(
    Type.String({ description: 'With `externalId`: your own id. For upsert; for the others in place of `id`.' }),
  ),
  externalId: Type.Optional(Type.String()),
  ...expectedVersion,
  data: Type.Optional(
    Type.Unsafe({ type: 'object', description: 'The fields, as in `<type>.create` and `<type>.update`.' }),
  ),
})

const bulkInput = closed({
  type: typeArgument(),
  items: Type.Array(item, { minItems: 1, maxItems: toolItemsMax }),
  atomic: Type.Optional(Type.Boolean({ description: 'Apply all items or none.' })),
  ...dryRun,
  ...idempotencyKey,
})
const updates = {
  projects: updateProject,
  tasks: updateTask,
  'crm-entities': updateCrmEntity,
  documents: updateDocument,
}

const bulkTool: Tool = {
  name: 'objects.bulk',
  title: 'Change many objects',
  description: `Runs up to ${toolItemsMax} creates, updates, upserts, deletes and restores of one type in one call, in order. Use it instead of many single calls. Each item has its own outcome: id or identifier and version, or an error code and what to change. With \`atomic\`, all items are applied or none. \`dryRun\` returns the same outcomes and changes nothing. Deletes also need the delete scope. Example: {"type":"tasks","atomic":true,"items":[{"action":"update","id":"WEB-42","data":{"status":"done"}},{"action":"create","data":{"projectId":"WEB","title":"Call Ada","assigneeIds":["me"]}}]}`,
  toolset: 'context',
  scope: { byType: 'write' },
  input: bulkInput,
  inputFor: byType(updates, bulkInput, ({ input }) => ({
    items: Type.Array(closed({ ...item.properties, data: Type.Optional(input) })),
  })),
  output: outcomes,
  cost: 'items',
  hints: { readOnly: false, destructive: true, idempotent: false },
}

export const objectTools: readonly Tool[] = [bulkTool, countTool, deleteTool, restoreTool]
