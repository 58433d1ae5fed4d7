// The part of a webhook's filter that is about values: a condition for each of some fields. The objects of collections
// have these fields; which types of events each is asked of is read from the schemas of the events
// (webhook-conditions.ts).
import { Type, type Static, type TSchema } from 'typebox'
import { DealStage, moneyParts } from './crm-entities.ts'
import { DocumentStatus } from './documents.ts'
import { ProjectStatus, projectHealths } from './projects.ts'
import type { References } from './references.ts'
import { Labels, Priority, closed, nullable } from './shared-fields.ts'
import { TaskStatus } from './tasks.ts'

const conditionsMax = 10
const valuesMax = 50

const anyOf = <T extends TSchema>(value: T, description: string) =>
  Type.Optional(Type.Array(value, { minItems: 1, maxItems: valuesMax, uniqueItems: true, description }))

/** Of a field with one value. */
const oneOf = <T extends TSchema>(value: T) =>
  Type.Object(
    {
      is: anyOf(value, 'Its value after the event is any of these.'),
      from: anyOf(value, 'An update changed it from any of these.'),
      to: anyOf(value, 'An update changed it to any of these.'),
    },
    { additionalProperties: false, minProperties: 1 },
  )

/** Of a list. */
const listOf = <T extends TSchema>(value: T) =>
  Type.Object(
    {
      contains: anyOf(nullable(value), 'After the event it contains any of these; null: it is empty.'),
      added: anyOf(value, 'An update added any of these.'),
      removed: anyOf(value, 'An update removed any of these.'),
    },
    { additionalProperties: false, minProperties: 1 },
  )

const Amount = closed({
  currency: moneyParts.currency,
  above: Type.Optional(moneyParts.amount),
  below: Type.Optional(moneyParts.amount),
})

const Status = Type.Enum([...new Set([...TaskStatus.enum, ...ProjectStatus.enum, ...DocumentStatus.enum])])

export const filterValuesNaming = ({ task, project, member, company, contact, crmEntity }: References) =>
  Type.Partial(
    Type.Object({
      status: oneOf(Status),
      stage: oneOf(DealStage),
      health: oneOf(nullable(Type.Enum([...projectHealths]))),
      priority: oneOf(Priority),
      projectId: oneOf(nullable(project)),
      ownerId: oneOf(nullable(member)),
      companyId: oneOf(nullable(company)),
      parentCompanyId: oneOf(nullable(company)),
      crmEntityId: oneOf(nullable(crmEntity)),
      parentTaskId: oneOf(nullable(task)),
      assigneeIds: listOf(member),
      memberIds: listOf(member),
      contactIds: listOf(contact),
      crmEntityIds: listOf(crmEntity),
      blockedByIds: listOf(task),
      labels: listOf(Labels.items),
      tags: listOf(Labels.items),
      amount: { ...Amount, description: 'After the event it is in this currency, and above and below these bounds.' },
    }),
    {
      additionalProperties: false,
      minProperties: 1,
      maxProperties: conditionsMax,
      description:
        'Conditions by field. All must hold, with all of their parts; of the values of a part, any. `from`, `to`, `added` and `removed` apply to `*.updated` events only, the other parts to every event about an object that can have the field. Other events, and comments, are not affected. Null stands for an empty field.',
    },
  )
export type FilterValues = Static<ReturnType<typeof filterValuesNaming>>
