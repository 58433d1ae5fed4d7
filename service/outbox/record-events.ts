// The only place where events are made: their rows and outbox rows, in the transaction of the change itself.
import type { Changes, Event } from '#contract/event.ts'
import type { EventNotification } from '#contract/internal/deliveries.ts'
import { changesBetween } from '../object-versions/changed-fields.ts'
import type { About, Call, Db } from '../execution/handler.ts'
import type { EmittedEvent } from '../execution/record-change.ts'

type Recorder = Pick<Call, 'workspaceId' | 'now' | 'actor' | 'principal'>

/** In the order of the changes, in one statement for all. Returns a notification of each event, for the dispatcher. */
export async function recordEvents(
  tx: Db,
  events: readonly EmittedEvent[],
  call: Recorder,
): Promise<EventNotification[]> {
  const last = events.at(-1)
  if (last === undefined) return []
  const { workspaceId } = call
  const today = last.at.toISOString().slice(0, 10)
  const count = events.length
  const rows = events.map((event) => rowOf(event, call))
  const each = <K extends keyof Row>(field: K): Row[K][] => rows.map((row) => row[field])
  // Bodies are stored as the exact bytes that are sent. The sequence number is known only inside of the statement, which
  // puts it between the two parts of the body.
  const written = await tx.$executeRaw`
    WITH sequence AS (
      UPDATE event_sequence SET last = last + ${count}::int, last_at = greatest(last_at, ${last.at}),
        before_day = CASE WHEN day = ${today}::date THEN before_day ELSE last END, day = ${today}::date
      WHERE workspace_id = ${workspaceId}::uuid RETURNING last - ${count}::int AS before
    ), written AS (
      INSERT INTO event (workspace_id, id, sequence, type, resource_id, resource_kind, project_id, changed_fields, body, occurred_at,
                         request_id, key_id)
      SELECT ${workspaceId}::uuid, e.id, before + position, e.type, resource_id, kind, project_id, changed::text[],
             head || (before + position) || tail, at, ${call.principal.requestId}, ${keyOf(call)}::uuid
      FROM sequence, unnest(${each('id')}::uuid[], ${each('type')}::text[], ${each('resourceId')}::uuid[],
        ${each('kind')}::text[], ${each('projectId')}::uuid[], ${each('changed')}::text[], ${each('head')}::text[],
        ${each('tail')}::text[], ${each('at')}::timestamptz[]) WITH ORDINALITY
        AS e (id, type, resource_id, kind, project_id, changed, head, tail, at, position)
      RETURNING id, workspace_id, sequence, occurred_at
    )
    INSERT INTO outbox (event_id, workspace_id, sequence, created_at)
    SELECT id, workspace_id, sequence, occurred_at FROM written`
  if (written !== count) throw new Error(`Workspace ${workspaceId} has no event sequence`)
  return events.map(({ id: eventId }) => ({ eventId, workspaceId }))
}

/** Rotating a key changes its secret: its id stays. */
const keyOf = ({ actor }: Recorder): string | null => (actor.type === 'api_key' ? actor.id : null)

type Row = ReturnType<typeof rowOf>

function rowOf({ id, at, event, after, before, about }: EmittedEvent, call: Recorder) {
  const changes = before === undefined ? {} : changesBetween(before, after)
  const resource = resourceOf(event, after, about)
  const [head, tail] = bodyAround({ id, at }, event, resource, after, changes, call)
  const { id: resourceId, kind } = resource
  // Names of fields need no quoting in an array's text.
  const changed = `{${Object.keys(changes).join(',')}}`
  const projectId = about === undefined ? projectOf(event, after) : about.projectId
  return { id, type: event.type, resourceId, kind, projectId, changed, head, tail, at }
}

type Resource = {
  readonly type: string
  readonly id: string
  readonly kind: string | null
  readonly version: number | null
}

function resourceOf(event: Event, after: object, about: About | undefined): Resource {
  const type = event.type.slice(0, event.type.indexOf('.'))
  if (about !== undefined) return { type, id: about.id, kind: about.kind, version: null }
  const { id, kind = null, version = null } = after as Partial<Resource>
  return { type, id: String(id), kind, version }
}

/** The project that the event is about or belongs to; webhooks can be filtered by it. Null when there is none. */
function projectOf({ type }: Event, after: object): string | null {
  const { id, projectId = null } = after as { readonly id?: string; readonly projectId?: string | null }
  return type.startsWith('projects.') && id !== undefined ? id : projectId
}

function bodyAround(
  { id, at }: Pick<EmittedEvent, 'id' | 'at'>,
  event: Event,
  resource: Resource,
  data: object,
  changes: Changes,
  call: Recorder,
): [string, string] {
  const head = { id, object: 'event', type: event.type, workspaceId: call.workspaceId }
  const tail = {
    occurredAt: at.toISOString(),
    actor: call.actor,
    requestId: call.principal.requestId,
    resource,
    data,
    changes,
  }
  return [`${JSON.stringify(head).slice(0, -1)},"sequence":`, `,${JSON.stringify(tail).slice(1)}`]
}
