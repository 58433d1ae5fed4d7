// The audit after a crash: what the database says was to be delivered, what it says came of it, and what the receivers
// got. It takes for granted that all webhooks were there, unchanged, before the first event. It decides by the contract
// which webhook gets what, and shares no code with the dispatcher.
import { Compile } from 'typebox/compile'
import { eventCatalogue } from '#contract/api.ts'
import { deliveryBody, eventRecordOf, type EventRecord, type Payload, patternMatches } from '#contract/event.ts'
import { grantedScopes, isGranted } from '#contract/webhook-grants.ts'
import type { WebhookFilter } from '#contract/webhook-schema.ts'

/** One request at a receiver. `status` is null where it had no answer. */
export type ReceiverCall = { readonly id: string; readonly body: string; readonly status: number | null }

type EventRow = {
  readonly id: string
  readonly workspaceId: string
  readonly type: string
  readonly resourceKind: string | null
  readonly projectId: string | null
  readonly changedFields: readonly string[]
  readonly body: string
}
type WebhookRow = {
  readonly id: string
  readonly workspaceId: string
  readonly eventTypes: readonly string[]
  readonly filter: WebhookFilter | null
  readonly grants: unknown
  readonly payload: Payload
  readonly status: string
}
type DeliveryRow = {
  readonly id: string
  readonly eventId: string
  readonly webhookId: string
  readonly status: string
  readonly isScheduled: boolean
  readonly attempts: readonly { readonly number: number; readonly outcome: string; readonly status: number | null }[]
  readonly attemptCount: number
}
export type Ledger = {
  readonly outbox: number
  readonly events: readonly EventRow[]
  readonly webhooks: readonly WebhookRow[]
  readonly deliveries: readonly DeliveryRow[]
}
export type Audit = {
  /** Events times the webhooks that get them. */
  readonly expected: number
  readonly delivered: number
  /** Expected, and neither in a final state nor on the way to one. */
  readonly lost: number
  /** Requests with an id that had been answered with success before. */
  readonly duplicates: number
  /** Requests that no attempt in the log stands for. */
  readonly unrecorded: number
  readonly interrupted: number
  /** What must not be; empty when all is well. */
  readonly problems: readonly string[]
}

const shownMax = 20

export function auditLedger(ledger: Ledger, calls: readonly ReceiverCall[]): Audit {
  const pairs = expectedPairs(ledger)
  const found = new Map(ledger.deliveries.map((row) => [`${row.eventId} ${row.webhookId}`, row]))
  const lost = [...pairs.keys()].filter((pair) => !isWell(found.get(pair), pairs.get(pair)?.webhook))
  const byId = Map.groupBy(calls, ({ id }) => id)
  const problems = [
    ...(ledger.outbox > 0 ? [`${ledger.outbox} rows are left in the outbox`] : []),
    ...lost.map((pair) => `event and webhook ${pair} are lost: ${found.get(pair)?.status ?? 'no delivery'}`),
    ...[...found.keys()].filter((pair) => !pairs.has(pair)).map((pair) => `nobody asked for ${pair}`),
    ...strangers(ledger, byId),
    ...ledger.deliveries.flatMap((row) => problemsOf(row, byId.get(row.id) ?? [], pairs)),
  ]
  const outcomes = ledger.deliveries.flatMap(({ attempts }) => attempts.map(({ outcome }) => outcome))
  return {
    expected: pairs.size,
    delivered: ledger.deliveries.filter(({ status }) => status === 'delivered').length,
    lost: lost.length,
    duplicates: [...byId.values()].reduce((sum, some) => sum + afterSuccess(some), 0),
    unrecorded: ledger.deliveries.reduce((sum, row) => sum + unrecordedOf(row.attempts, byId.get(row.id) ?? []), 0),
    interrupted: outcomes.filter((outcome) => outcome === 'interrupted').length,
    problems: problems.slice(0, shownMax),
  }
}

type Pair = { readonly event: EventRow; readonly webhook: WebhookRow }

const expectedPairs = ({ events, webhooks }: Ledger): Map<string, Pair> =>
  new Map(
    events.flatMap((event) =>
      webhooks
        .filter((webhook) => gets(webhook, event))
        .map((webhook) => [`${event.id} ${webhook.id}`, { event, webhook }] as const),
    ),
  )

/** These go to others than the webhook that they are about. */
const aboutWebhooks = new Set(['webhooks.failing', 'deliveries.dead_lettered'])
const isAbout = (id: string, { type, body }: EventRow): boolean =>
  aboutWebhooks.has(type) && (JSON.parse(body) as { resource: { id: string } }).resource.id === id

function gets({ id, workspaceId, eventTypes, filter, grants }: WebhookRow, event: EventRow): boolean {
  const { kinds, projectIds, changedFields } = filter ?? {}
  return (
    workspaceId === event.workspaceId &&
    !isAbout(id, event) &&
    eventTypes.some((pattern) => patternMatches(pattern, event.type)) &&
    isGranted(grantedScopes({ eventTypes, grants }), event.type) &&
    (kinds === undefined || kinds.some((kind) => kind === event.resourceKind)) &&
    (projectIds === undefined || projectIds.some((id) => id === event.projectId)) &&
    (changedFields === undefined ||
      !event.type.endsWith('.updated') ||
      event.changedFields.some((field) => changedFields.includes(field)))
  )
}

/** In a final state, or with a time for what comes next; that of a webhook that is not active waits for it. */
function isWell(row: DeliveryRow | undefined, webhook: WebhookRow | undefined): boolean {
  if (row === undefined) return false
  if (['delivered', 'dead_letter', 'cancelled'].includes(row.status)) return true
  return row.isScheduled || webhook?.status !== 'active'
}

function problemsOf(
  { id, eventId, webhookId, status, attempts, attemptCount }: DeliveryRow,
  calls: readonly ReceiverCall[],
  pairs: ReadonlyMap<string, Pair>,
): string[] {
  const pair = pairs.get(`${eventId} ${webhookId}`)
  const body = pair && deliveryBody(pair.event.body, pair.webhook.payload)
  const successes = attempts.filter(({ outcome }) => outcome === 'success').length
  const checks: readonly [boolean, string][] = [
    [calls.every((call) => call.body === body), 'was sent with other bytes than those of its event'],
    [attempts.length === attemptCount, `has ${attempts.length} attempts in the log and counts ${attemptCount}`],
    [attempts.every(({ number }, index) => number === index + 1), 'has attempts whose numbers have a gap'],
    [(status === 'delivered') === (successes === 1), `is ${status} with ${successes} successes in the log`],
    [successes <= calls.filter(isSuccess).length, 'is said to have had a success that its receiver never gave'],
    [attempts.filter((one) => one.status !== null).length <= calls.length, 'has more answers than requests'],
    [unrecordedOf(attempts, calls) === 0, 'had requests of which the log knows nothing'],
  ]
  return checks.filter(([holds]) => !holds).map(([, what]) => `delivery ${id} ${what}`)
}

const strangers = ({ deliveries }: Ledger, byId: ReadonlyMap<string, unknown>): string[] => {
  const known = new Set(deliveries.map(({ id }) => id))
  return [...byId.keys()].filter((id) => !known.has(id)).map((id) => `a receiver got ${id}, which is no delivery`)
}

const isSuccess = ({ status }: ReceiverCall): boolean => status !== null && status >= 200 && status < 300

/** In the order in which they came. */
function afterSuccess(calls: readonly ReceiverCall[]): number {
  const first = calls.findIndex(isSuccess)
  return first === -1 ? 0 : calls.length - 1 - first
}

const unrecordedOf = (attempts: DeliveryRow['attempts'], calls: readonly ReceiverCall[]): number =>
  Math.max(0, calls.length - attempts.length)

// The rows that the audit reads, in one statement and so as of one moment. Each row is sent by itself: one value of
// all rows is too large for Postgres after an hour of load.

type Row = { readonly part: string; readonly item: unknown }
type Ask = (sql: string) => Promise<readonly Row[]>

const statement = `
  SELECT 'outbox' AS part, to_jsonb(count(*)) AS item FROM outbox
  UNION ALL
  SELECT 'event', jsonb_build_object(
    'id', id, 'workspaceId', workspace_id, 'type', type, 'resourceKind', resource_kind, 'projectId', project_id,
    'changedFields', changed_fields, 'body', body) FROM event
  UNION ALL
  SELECT 'webhook', jsonb_build_object(
    'id', id, 'workspaceId', workspace_id, 'eventTypes', events, 'filter', filter, 'grants', grants,
    'payload', payload, 'status', status) FROM webhook WHERE deleted_at IS NULL
  UNION ALL
  SELECT 'delivery', jsonb_build_object(
    'id', d.id, 'eventId', d.event_id, 'webhookId', d.webhook_id, 'status', d.status,
    'isScheduled', d.next_attempt_at IS NOT NULL, 'attemptCount', d.attempt_count, 'attempts', (
      SELECT coalesce(jsonb_agg(jsonb_build_object(
        'number', a.number, 'outcome', a.outcome, 'status', a.response_status) ORDER BY a.number), '[]')
      FROM attempt a WHERE a.workspace_id = d.workspace_id AND a.delivery_id = d.id)) FROM delivery d`

export async function readLedger(ask: Ask): Promise<Ledger> {
  const parts = Map.groupBy(await ask(statement), ({ part }) => part)
  const items = (part: string) => (parts.get(part) ?? []).map(({ item }) => item)
  return {
    outbox: items('outbox')[0] as number,
    events: items('event') as Ledger['events'],
    webhooks: items('webhook') as Ledger['webhooks'],
    deliveries: items('delivery') as Ledger['deliveries'],
  }
}

/** Whether what a receiver got is what the catalogue of events promises, of a full payload. Empty when it is. */
export function bodyProblems(body: string): string[] {
  const event = JSON.parse(body) as EventRecord
  const check = checkOf(event.type)
  if (check === undefined) return [`${event.type} is not in the catalogue`]
  const [first] = check.Check(event) ? [] : check.Errors(event)
  return first === undefined ? [] : [`${event.type} ${event.id}: ${first.instancePath} ${first.message}`]
}

const checks = new Map<string, ReturnType<typeof Compile>>()

/** Compiled when the first of its type comes: few types do. */
function checkOf(type: string): ReturnType<typeof Compile> | undefined {
  const event = eventCatalogue.find((one) => one.type === type)
  if (event !== undefined && !checks.has(type)) checks.set(type, Compile(eventRecordOf(event)))
  return checks.get(type)
}
