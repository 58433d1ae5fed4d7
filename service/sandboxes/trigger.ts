// Triggers an event in a sandbox: one that is recorded although nothing has happened, so that receivers can be tried
// with events of every type. It is about an object as it is now, or about the example that the documentation shows.
import { eventCatalogue } from '#contract/api.ts'
import { isUpdate, patternMatches, type Event, type EventRecord } from '#contract/event.ts'
import { Fault } from '#contract/faults/fault.ts'
import { exampleEvent } from '#contract/openapi/recorded-examples.ts'
import type { triggerEvent } from '#contract/sandboxes.ts'
import type { About, Call, Handle, Handler } from '../execution/call.ts'
import { assertSandbox } from '../execution/sandbox-rows.ts'
import { missingReference, refuseField } from '../faults/shared-faults.ts'
import { assertReadable } from '../ledger/feed.ts'
import { findWebhook } from '../webhooks/rows.ts'

type Fields = Readonly<Record<string, unknown>>
type Example = EventRecord & { readonly data: Fields }
/** What the event tells: `before` and `after` differ in what it says has changed. */
type Told = { readonly after: Fields; readonly before: Fields; readonly about: About | undefined }

export const triggerWith =
  ({ handle }: { readonly handle: Handle }): Handler<typeof triggerEvent> =>
  async ({ eventType, objectId, webhookId }, call) => {
    await assertSandbox(call.db, call.workspaceId, 'Events can be triggered in sandboxes only.')
    assertReadable([eventType], call.principal.scopes)
    const event = eventCatalogue.find(({ type }) => type === eventType)
    if (event === undefined) throw new Error(`There is no event ${eventType}`)
    if (webhookId !== undefined) await assertSubscribed(call, webhookId, eventType)
    const example = exampleEvent(event) as Example
    const object = await objectFor(handle, call, event, objectId)
    const { after, before, about } =
      object === null ? ofExample(example, call.workspaceId) : ofObject(event, example, object, call.now)
    // The operation may emit any event of the catalogue, which is made of what operations declare.
    const { emit } = call as Call
    return { eventId: emit(event, after, before, about, 'trigger', webhookId), eventType }
  }

async function assertSubscribed(call: Call, webhookId: string, eventType: string): Promise<void> {
  const { eventTypes } = await found('webhookId', () => findWebhook(call, webhookId))
  if (!eventTypes.some((pattern) => patternMatches(pattern, eventType)))
    refuseField('webhookId', 'not_in_list', `The webhook does not subscribe to ${eventType}.`)
}

/** Throws `reference_not_found` for an object that the workspace does not have. */
async function found<T>(field: string, find: () => Promise<T>): Promise<T> {
  try {
    return await find()
  } catch (error) {
    throw error instanceof Fault && error.code === 'not_found' ? missingReference(field, error) : error
  }
}

/** The resources that events are about as they are read. Events about others are made from examples. */
const segments: ReadonlySet<string> = new Set(
  'projects tasks crm-entities documents files members webhooks api-keys jobs'.split(' '),
)

const isAboutObject = ({ type }: Event): boolean => {
  const [segment = '', happened = ''] = type.split('.')
  return segments.has(segment) && !happened.startsWith('comment_')
}

/** The named object, or the newest. Returns null where the event is made from an example. */
async function objectFor(handle: Handle, call: Call, event: Event, id: string | undefined): Promise<Fields | null> {
  if (!isAboutObject(event)) {
    if (id !== undefined) refuseField('objectId', 'unknown', 'Events of this type are made from an example.')
    return null
  }
  const [segment = ''] = event.type.split('.')
  const get = (each: string) => handle(`${segment}.get`, { id: each }, call) as Promise<Fields>
  if (id !== undefined) return found('objectId', () => get(id))
  const { data } = (await handle(`${segment}.list`, { limit: 1 }, call)) as { data: readonly { id: string }[] }
  return data[0] === undefined ? null : get(data[0].id)
}

function ofExample({ resource, data, changes, related }: Example, workspaceId: string): Told {
  const after = {
    ...data,
    ...('workspaceId' in data && { workspaceId }),
    ...(data['object'] === 'workspace' && { id: workspaceId }),
  }
  const { id, kind } = resource
  const isOfComment = data['object'] === 'comment'
  const about = isOfComment ? { id, kind, projectId: null, related: related ?? {} } : undefined
  return { after, before: { ...after, ...valuesOf(changes, 'from') }, about }
}

/**
 * An update tells of the example's fields as if they had become what they are. What ends or begins something shows the
 * object as it would be after it.
 */
function ofObject(event: Event, { data, changes }: Example, object: Fields, now: Date): Told {
  const { known, required } = fieldsOf(event)
  const shown = Object.fromEntries(Object.entries(object).filter(([name]) => known.has(name)))
  const missing = Object.fromEntries(required.flatMap((name) => (name in shown ? [] : [[name, data[name]]])))
  const as = { ...shown, ...missing }
  const ended = event.type.endsWith('.deleted') && 'deletedAt' in as ? { deletedAt: now.toISOString() } : {}
  const after = isUpdate(event.type) ? as : { ...as, ...valuesOf(changes, 'to'), ...ended }
  const before = Object.entries(changes).flatMap(([name, { from, to }]) =>
    name in after ? [[name, isSame(from, after[name]) ? to : from]] : [],
  )
  return { after, before: { ...after, ...Object.fromEntries(before) }, about: undefined }
}

const valuesOf = (changes: EventRecord['changes'], side: 'from' | 'to'): Fields =>
  Object.fromEntries(Object.entries(changes).map(([name, change]) => [name, change[side]]))

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

type Shape = {
  readonly properties?: object
  readonly required?: readonly string[]
  readonly anyOf?: readonly Shape[]
  readonly allOf?: readonly Shape[]
}

/** The fields that the event's object may have, and those that it has in any case. */
function fieldsOf({ data }: Event): { readonly known: ReadonlySet<string>; readonly required: readonly string[] } {
  const shape: Shape = data
  const all = (each: Shape): string[] => [
    ...Object.keys(each.properties ?? {}),
    ...[...(each.anyOf ?? []), ...(each.allOf ?? [])].flatMap(all),
  ]
  return { known: new Set(all(shape)), required: shape.required ?? [] }
}
