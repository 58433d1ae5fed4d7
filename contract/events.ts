// The feed of a workspace: all of its events in order, to be read by polling.
import { Type } from 'typebox'
import { EventRecord, eventPatterns } from './event.ts'
import { Id, Timestamp, closed } from './shared-fields.ts'
import { operation, tag } from './operation.ts'
import { stream } from './stream.ts'
import { pageInput, pageItemsDefault, pageItemsMax, pageOf } from './pagination.ts'

/** Events in the feed, and for replays. */
export const eventsKeptDays = 30

export const feedWaitSecondsMax = 20

/** So many events, the newest ones first, are looked through for one page of a search. */
export const eventsLookedThroughMax = 20_000

export const eventFeedTag = tag('events', 'The feed: every change in the workspace, in order, for 30 days.')
export const eventTypesTag = tag('event-types', 'Event types, each with its schema.')

const actorId = Type.Optional(
  Type.String({ ...Id, description: 'Only events of what this API key or this member has done.' }),
)

const search = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 200,
    description: 'Only events with this text, in names and values of any field. Case does not matter.',
  }),
)

const eventTypes = Type.Optional(
  eventPatterns('Event types, or all of a segment (`projects.*`). Default: all that the key may read.'),
)

export const listEvents = operation({
  name: 'events.list',
  http: 'GET /events',
  summary: 'Read the feed',
  description:
    'Events after a sequence number, in order and without gaps. No event is ever inserted before one that was read. Repeat the request with `lastSequence` as `after`: at once while `hasMore` is true, even if `data` is empty, otherwise with `wait`. Only events of resources that the key may read are returned.',
  audiences: ['api', 'settings'],
  scope: 'events:read',
  input: closed({
    after: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description:
          'Default: the oldest kept event (30 days). An older position returns 410 `cursor_expired`. A position that a restore from a backup has undone returns 410 `feed_rewound`, and one beyond the end of the feed returns 400.',
      }),
    ),
    occurredAfter: Type.Optional(
      Type.String({
        ...Timestamp,
        description:
          'Instead of `after`: starts at the first kept event after this time. A time in the future is the end of the feed: no events, and in `lastSequence` the position from which to go on.',
      }),
    ),
    eventTypes,
    resourceId: Type.Optional({
      ...Id,
      description:
        'Only events whose `resource` is this object: of a task, a project or a CRM entity also those of the comments on it.',
    }),
    actorId,
    search,
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: pageItemsMax, default: pageItemsDefault })),
    wait: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: feedWaitSecondsMax,
        default: 0,
        description: 'Seconds to wait if there is no event yet. Under load, it may respond at once.',
      }),
    ),
  }),
  output: closed({
    data: Type.Array(EventRecord, { maxItems: pageItemsMax }),
    lastSequence: Type.Integer({ minimum: 0, description: 'All events up to this one have been checked.' }),
    hasMore: Type.Boolean(),
  }),
  success: 200,
  errors: ['cursor_expired', 'feed_rewound', 'insufficient_scope'],
})

export const streamEvents = stream({
  name: 'events.stream',
  http: 'GET /events/stream',
  summary: 'Follow the feed',
  description: 'Sends each event once, in order, as soon as it is recorded. The id of a message is its sequence.',
  scope: 'events:read',
  input: closed({ eventTypes }),
  message: 'event',
  output: EventRecord,
})

export const searchEvents = operation({
  name: 'events.search',
  http: 'GET /events/search',
  summary: 'Search events',
  description: `Newest first. Only events of resources that you may read. One page looks through at most ${eventsLookedThroughMax.toLocaleString('en')} events, unless an object, a request, or an actor alone is given, so a page can have fewer items than its limit, or none, although there are more (\`hasMore\`).`,
  audiences: ['settings'],
  scope: 'events:read',
  input: closed({
    ...pageInput,
    eventTypes,
    resourceId: Type.Optional(Type.String({ ...Id, description: 'Only events of this object.' })),
    actorId,
    requestId: Type.Optional(
      Type.String({ minLength: 1, maxLength: 128, description: 'Only events of this request.' }),
    ),
    search,
    occurredAfter: Type.Optional(Timestamp),
    occurredBefore: Type.Optional(Timestamp),
  }),
  output: pageOf(EventRecord),
  success: 200,
  errors: ['insufficient_scope', 'invalid_cursor', 'cursor_mismatch', 'cursor_outdated'],
})

export const getEvent = operation({
  name: 'events.get',
  http: 'GET /events/{id}',
  summary: 'Get an event',
  description: 'One event by its id.',
  audiences: ['api', 'settings'],
  scope: 'events:read',
  input: closed({ id: Id }),
  output: EventRecord,
  success: 200,
  errors: ['not_found'],
})

const EventKind = closed({
  type: Type.String({ maxLength: 100 }),
  summary: Type.String({ maxLength: 200 }),
  scope: Type.String({ maxLength: 80, description: 'The scope that is needed to read it.' }),
  schema: Type.Record(Type.String(), Type.Unknown(), {
    description: 'JSON Schema (2020-12) of the whole event, `data` included.',
  }),
})

export const listEventTypes = operation({
  name: 'event-types.list',
  http: 'GET /event-types',
  summary: 'List event types',
  description: 'The catalog of all event types, whether or not the key may read them.',
  audiences: ['api', 'settings'],
  tenancy: 'none',
  scope: null,
  input: closed({}),
  output: closed({ data: Type.Array(EventKind) }),
  success: 200,
})
