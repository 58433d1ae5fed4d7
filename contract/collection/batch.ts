// Many changes of a collection in one call.
import { Type, type TSchema } from 'typebox'
import { closed } from '../shared-fields.ts'
import { operation } from '../operation.ts'
import { referenceLengthMax } from '../references.ts'
import { sparse } from '../pagination.ts'
import { ProblemBody } from '../faults/problem-details.ts'
import { answerParameters } from './parameters.ts'
import {
  bodyLimitOf,
  createOf,
  emitted,
  patchOf,
  pluralOf,
  scope,
  scopeErrors,
  upsertOf,
  upsertOptions,
  upsertResult,
  type Declaration,
} from './declaration.ts'

export const batchItemsMax = 100

export const batch = <D extends Declaration>(declared: D) =>
  operation({
    name: `${declared.segment}.batch` as `${D['segment']}.batch`,
    http: `POST /${declared.segment}/batch`,
    summary: `Change many ${pluralOf(declared)} at once`,
    description: `Up to ${batchItemsMax} items, each with its own outcome; with \`atomic\`, all or none. \`data\` is the body of the request of that name. An update, a deletion and a restore name the object by \`id\`, or by your own id in \`externalSource\` and \`externalId\`. Wherever an item takes the id of an object of this collection, \`#3\` is the object of item 3, which comes before it. Each item counts as one request.`,
    scope: scope(declared, 'write'),
    input: batchOf(declared, Type.Record(Type.String(), Type.Unknown())),
    documentedInput: batchOf(
      declared,
      Type.Union(
        [
          closed(createOf(declared)),
          closed(patchOf(declared)),
          closed({ ...upsertOptions(declared), ...upsertOf(declared) }),
        ],
        { description: 'Same as the body of the request that `action` names.' },
      ),
    ),
    output: batchAnswer(declared.expandedBrief ?? declared.expanded),
    partial: batchAnswer(sparse(declared.fields)),
    success: 200,
    cost: 'items',
    errors: ['too_many_items', 'batch_failed', ...scopeErrors(declared)],
    emits: emitted(declared, 'created', 'updated', 'deleted', 'restored'),
    ...bodyLimitOf(declared),
  })

export const batchOwnIdLengthMax = { externalSource: 200, externalId: 1_000 }

const batchOf = <D extends TSchema>({ fields, expansions }: Declaration, data: D) =>
  closed({
    atomic: Type.Optional(Type.Boolean({ default: false })),
    items: itemsOf(data),
    ...answerParameters(Object.keys(fields), expansions),
  })

const batchAnswer = <R extends TSchema>(object: R) =>
  closed({ results: Type.Array(batchResult(object), { maxItems: batchItemsMax }) })

/** Longer than they may be: an item is refused for that as the call that it stands for. */
const ownId = (description: string) => ({
  externalSource: Type.Optional(Type.String({ maxLength: batchOwnIdLengthMax.externalSource, description })),
  externalId: Type.Optional(Type.String({ maxLength: batchOwnIdLengthMax.externalId, description })),
})

/** The input takes any `data`: each item is checked as the call that it stands for, and refused alone. */
const itemsOf = <D extends TSchema>(data: D) =>
  Type.Array(
    closed({
      action: Type.Enum(['create', 'update', 'upsert', 'delete', 'restore']),
      id: Type.Optional(
        Type.String({
          maxLength: referenceLengthMax,
          description: 'As in the path of the request, or `#` and the index of an earlier item.',
        }),
      ),
      ...ownId('Your own id of the object; `externalSource` and `externalId` go together.'),
      expectedVersion: Type.Optional(Type.Integer({ minimum: 1, maximum: 2_147_483_647 })),
      data: Type.Optional(data),
    }),
    { minItems: 1, maxItems: batchItemsMax },
  )

const batchResult = <R extends TSchema>(resource: R) =>
  closed({
    index: Type.Integer({ minimum: 0, maximum: batchItemsMax - 1 }),
    status: Type.Integer({ minimum: 200, maximum: 599 }),
    ...ownId('As in the item, if it was rejected or deleted.'),
    outcome: Type.Optional(upsertResult.outcome),
    matchedBy: Type.Optional(upsertResult.matchedBy),
    data: Type.Optional(Type.Union([resource, Type.Null()])),
    problem: Type.Optional(ProblemBody),
  })
