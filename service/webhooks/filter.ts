// Refuses a webhook's filter that no event can pass: the webhook would get nothing, without a visible reason. The
// project, kind of CRM entity and fields that an event type can have are read from its schema. Pure.
import { eventCatalogue } from '#contract/api.ts'
import { kinds } from '#contract/crm-entities.ts'
import { isUpdate, type Event } from '#contract/event.ts'
import { typesOf } from '#contract/webhook-grants.ts'
import type { WebhookFilter } from '#contract/webhook-schema.ts'
import { invalidValue } from '../faults/shared-faults.ts'
import { assertValues } from './filter-values.ts'
import { didYouMean } from '../validation/unknown-field.ts'
import { changedByEveryChange } from '../execution/system-fields.ts'

type Shape = { readonly properties?: Readonly<Record<string, unknown>>; readonly anyOf?: readonly Shape[] }
type Subscription = { readonly eventTypes: readonly string[]; readonly filter?: WebhookFilter | null }

/** Fields that no update event shows as changed: they never change, or other event types report the change. */
const constant = new Set(['id', 'object', 'workspaceId', 'kind', 'deletedAt', 'mergedIntoId'])

const segmentOf = (type: string): string => type.slice(0, type.indexOf('.'))
const shapesOf = ({ data }: Event): Shape[] => {
  const shape = data as Shape
  return [...(shape.anyOf ?? [shape])]
}
const has = (field: string) => (event: Event) => shapesOf(event).some(({ properties = {} }) => field in properties)
const segmentsWith = (field: string): Set<string> =>
  new Set(eventCatalogue.filter(has(field)).map(({ type }) => segmentOf(type)))

/** Whole segments: comments have the project or the kind of the object that they are on. */
const segmentsOfProjects = segmentsWith('projectId').add('projects')
const segmentsOfKinds = segmentsWith('kind')

/**
 * Throws `validation_failed` when the webhook's filter, or a part of it, can match nothing of its `eventTypes`.
 * The fault points to the one of the two that the call has given.
 */
export function assertFilter({ eventTypes, filter }: Subscription, given: 'filter' | 'eventTypes' = 'filter'): void {
  if (!filter) return
  const refuse = (part: string, detail: string): never => {
    throw invalidValue(given === 'filter' ? `/filter/${part}` : '/eventTypes', 'not_in_list', detail)
  }
  const subscribed = typesOf(eventTypes)
  const ofKinds = subscribed.filter((type) => segmentsOfKinds.has(segmentOf(type)))
  const ofProjects = subscribed.filter((type) => segmentsOfProjects.has(segmentOf(type)))
  if (filter.kinds !== undefined && filter.projectIds !== undefined)
    refuse('kinds', 'Nothing passes both `kinds` and `projectIds`: CRM entities belong to no project.')
  if (filter.kinds !== undefined && ofKinds.length === 0)
    refuse('kinds', `Nothing in \`eventTypes\` is about CRM entities: ${listed(segmentsOfKinds)} would be.`)
  if (filter.projectIds !== undefined && ofProjects.length === 0)
    refuse('projectIds', `Nothing in \`eventTypes\` belongs to a project: ${listed(segmentsOfProjects)} would.`)
  const passing = filter.kinds ? ofKinds : filter.projectIds ? ofProjects : subscribed
  assertFields(filter, passing.filter(isUpdate), refuse)
  const { kinds: wanted = [...kinds], values } = filter
  if (values) assertValues(values, passing, (properties) => isOfKind({ properties }, wanted), refuse)
}

type Refuse = (part: string, detail: string) => never

function assertFields({ changedFields = [], kinds: wanted }: WebhookFilter, updates: string[], refuse: Refuse): void {
  if (changedFields.length > 0 && updates.length === 0)
    refuse('changedFields', 'It is about updates, and nothing in `eventTypes` is one, such as `tasks.updated`.')
  const fields = changing(updates, wanted)
  for (const [at, field] of changedFields.entries())
    if (!fields.includes(field))
      refuse(
        `changedFields/${at}`,
        `No update in \`eventTypes\` changes a field \`${field}\`.${didYouMean(field, fields)}`,
      )
}

/** The fields that these updates can change; for CRM entities those of the wanted kinds. */
function changing(updates: readonly string[], wanted: WebhookFilter['kinds'] = [...kinds]): string[] {
  const shapes = eventCatalogue.filter(({ type }) => updates.includes(type)).flatMap(shapesOf)
  const fields = shapes
    .filter((shape) => isOfKind(shape, wanted))
    .flatMap(({ properties = {} }) => Object.keys(properties))
  return [...new Set(fields)].filter((field) => !changedByEveryChange.has(field) && !constant.has(field))
}

function isOfKind({ properties = {} }: Shape, wanted: readonly string[]): boolean {
  const { const: kind } = (properties['kind'] ?? {}) as { readonly const?: string }
  return kind === undefined || wanted.includes(kind)
}

const listed = (segments: ReadonlySet<string>): string => [...segments].map((segment) => `\`${segment}.*\``).join(', ')
