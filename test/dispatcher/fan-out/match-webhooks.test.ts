// Which webhooks get an event.
import { expect, test } from 'vitest'
import type { Changes } from '#contract/event.ts'
import { scopesOf } from '#contract/webhook-grants.ts'
import {
  planDeliveries,
  matches,
  type MatchableEvent,
  type MatchableWebhook,
} from '../../../dispatcher/fan-out/match-webhooks.ts'

const event: MatchableEvent = {
  workspaceId: 'w1',
  id: '01890000-0000-7000-8000-000000000001',
  sequence: 7n,
  type: 'projects.updated',
  resourceId: 'p1',
  resourceKind: null,
  projectId: 'p1',
  changedFields: ['name'],
  keyId: 'k1',
  origin: null,
  onlyWebhookId: null,
  trace: null,
  values: null,
}
const webhook: MatchableWebhook = {
  workspaceId: 'w1',
  id: 'h1',
  eventTypes: ['*'],
  filter: null,
  status: 'active',
  isCircuitOpen: false,
  hasTokens: null,
  order: 'none' as const,
  ignoredKeyIds: [],
  includeImports: true,
  granted: scopesOf(['*']),
}
const deal = { type: 'crm-entities.updated', resourceKind: 'deal', projectId: null }
const tried = { type: 'webhooks.test', resourceId: 'h1', changedFields: [] }

type Case = readonly [webhook: Partial<MatchableWebhook>, event: Partial<MatchableEvent>, isMatch: boolean]
const ofFields = { filter: { changedFields: ['name', 'status'] } }
const ofProject = { filter: { projectIds: ['p1'] } }
const ofKinds = { filter: { kinds: ['company' as const, 'deal' as const] } }
const ignoring = { ignoredKeyIds: ['k1', 'k2'] }
type Values = NonNullable<NonNullable<MatchableWebhook['filter']>['values']>
const asking = (values: Values) => ({ filter: { values } })
/** An update of a task, or another event of one. */
const task = (data: object, changes: Changes = {}, type = 'tasks.updated') => ({
  type,
  values: { data: { ...data }, changes },
})
const done = task({ status: 'done' }, { status: { from: 'todo', to: 'done' } })
const relabelled = task({ labels: ['b', 'c'] }, { labels: { from: ['a', 'b'], to: ['b', 'c'] } })
const unassigned = task({ assigneeIds: [] }, { assigneeIds: { from: ['m1'], to: [] } })
const dealOf = (amount: string | null, currency = 'EUR'): Partial<MatchableEvent> => ({
  ...deal,
  values: { data: { amount: amount === null ? null : { amount, currency } }, changes: {} },
})
const ofCompany = { ...deal, resourceKind: 'company', values: { data: { ownerId: null }, changes: {} } }
const above = (bound: string) => asking({ amount: { currency: 'EUR', above: bound } })
const toDone = asking({ status: { to: ['done', 'cancelled'] } })
const others = ['projects.created', 'projects.deleted', 'projects.archived', 'projects.comment_updated']

const cases: Readonly<Record<string, readonly Case[]>> = {
  'the events that one of its patterns takes': [
    [{}, {}, true],
    [{ eventTypes: ['projects.*'] }, {}, true],
    [{ eventTypes: ['projects.created', 'projects.updated'] }, {}, true],
    [{ eventTypes: ['projects.created'] }, {}, false],
    [{ eventTypes: [] }, {}, false],
  ],
  'only what it is granted, whatever its patterns take': [
    [{ granted: ['projects:read'] }, {}, true],
    [{ granted: ['tasks:read'] }, {}, false],
    [{ granted: [] }, {}, false],
    [{ granted: [] }, tried, true],
  ],
  'with a filter on projects what happens to them, and nothing that is about something else': [
    [ofProject, {}, true],
    [ofProject, { projectId: 'p2' }, false],
    [ofProject, { type: 'tasks.updated', resourceId: 't1' }, true],
    [ofProject, { type: 'api-keys.created', projectId: null }, false],
  ],
  'with a filter on kinds CRM entities of these kinds, and nothing that has no kind': [
    [ofKinds, deal, true],
    [ofKinds, { ...deal, resourceKind: 'contact' }, false],
    [ofKinds, {}, false],
  ],
  'with a filter on fields updates of any of them, no update of others, and every other type': [
    [ofFields, {}, true],
    [ofFields, { changedFields: ['labels'] }, false],
    ...others.map((type): Case => [ofFields, { type, changedFields: ['archivedAt'] }, true]),
    [{ filter: { changedFields: ['name'], projectIds: ['p2'] } }, { type: 'projects.created' }, false],
  ],
  'with a condition on a change the updates that make it, and every event that is no update': [
    [toDone, done, true],
    [toDone, task({ status: 'done' }, { title: { from: 'A', to: 'B' } }), false],
    [toDone, task({ status: 'todo' }, { status: { from: 'done', to: 'todo' } }), false],
    [toDone, task({ status: 'todo' }, {}, 'tasks.created'), true],
    [asking({ status: { from: ['todo'], to: ['done'] } }), done, true],
    [asking({ status: { from: ['blocked'], to: ['done'] } }), done, false],
    [asking({ labels: { added: ['c'], removed: ['x', 'a'] } }), relabelled, true],
    ...(['a', 'b'] as const).map((label): Case => [asking({ labels: { added: [label] } }), relabelled, false]),
    ...(['b', 'c'] as const).map((label): Case => [asking({ labels: { removed: [label] } }), relabelled, false]),
    [asking({ labels: { added: ['c'] } }), done, false],
    [asking({ parentTaskId: { to: [null] } }), task({}, { parentTaskId: { from: 't1', to: null } }), true],
  ],
  'with a condition on the object the events of every type after which it holds': [
    [asking({ status: { is: ['done'] } }), done, true],
    [asking({ status: { is: ['todo'] } }), done, false],
    [asking({ status: { is: ['todo'] } }), task({ status: 'todo' }, {}, 'tasks.created'), true],
    [asking({ status: { is: ['todo'] } }), task({ status: 'done' }, {}, 'tasks.deleted'), false],
    [asking({ labels: { contains: ['x', 'b'] } }), relabelled, true],
    [asking({ labels: { contains: ['a'] } }), relabelled, false],
    [asking({ assigneeIds: { contains: [null] } }), unassigned, true],
    [asking({ labels: { contains: [null] } }), relabelled, false],
    [asking({ parentTaskId: { is: [null] } }), task({ parentTaskId: null }), true],
    [asking({ status: { is: ['done'] }, labels: { contains: ['a'] } }), task({ status: 'done', labels: ['a'] }), true],
    [asking({ status: { is: ['done'] }, labels: { contains: ['a'] } }), task({ status: 'done', labels: [] }), false],
  ],
  'with bounds on an amount what lies between them, to the last digit and in this currency alone': [
    [above('999999999999999.9998'), dealOf('999999999999999.9999'), true],
    [above('999999999999999.9999'), dealOf('999999999999999.9999'), false],
    [above('10'), dealOf('10.0'), false],
    [above('-0.5'), dealOf('-0.49'), true],
    [above('9'), dealOf('10', 'USD'), false],
    [above('9'), dealOf(null), false],
    [above('9'), ofCompany, false],
    [asking({ amount: { currency: 'EUR' } }), dealOf('-3'), true],
    [asking({ amount: { currency: 'EUR', above: '1', below: '1.5' } }), dealOf('1.5'), false],
    [asking({ amount: { currency: 'EUR', above: '1', below: '1.5' } }), dealOf('1.4999'), true],
  ],
  'whatever its conditions the events that they cannot be asked of: of comments, and of objects without such a field': [
    [toDone, { ...done, type: 'tasks.comment_updated' }, true],
    [toDone, { ...done, type: 'members.updated' }, true],
    [above('9'), done, true],
    [toDone, { type: 'members.updated' }, true],
  ],
  'a test event that is about it, whatever its patterns and filter, and no other': [
    [{ eventTypes: ['projects.created'], filter: { projectIds: ['p9'] } }, tried, true],
    [{ id: 'h2' }, tried, false],
  ],
  'what was done with a key that it does not ignore, by a person or by the service': [
    [ignoring, {}, false],
    [ignoring, { keyId: 'k2' }, false],
    [ignoring, { keyId: 'k3' }, true],
    [ignoring, { keyId: null }, true],
    [ignoring, tried, true],
  ],
  'what is told of the failures of others, and not of its own': [
    ...['webhooks.failing', 'deliveries.dead_lettered'].flatMap((type): Case[] => [
      [{}, { type, resourceId: 'h1', projectId: null }, false],
      [{ id: 'h2' }, { type, resourceId: 'h1', projectId: null }, true],
    ]),
  ],
}

test.each(Object.entries(cases))('a webhook gets %s', (_what, rows) => {
  const taken = rows.map(([of, happened]) => [of, happened, matches({ ...webhook, ...of }, { ...event, ...happened })])

  expect(taken).toEqual(rows)
})

test('an event stays in its workspace, and waits where the webhook is paused or disabled', () => {
  const webhooks = [
    webhook,
    { ...webhook, id: 'h2', workspaceId: 'w2' },
    { ...webhook, id: 'h3', status: 'paused' as const },
    { ...webhook, id: 'h4', status: 'disabled' as const },
  ]

  expect(planDeliveries([event], webhooks)).toMatchObject([
    { webhookId: 'h1', origin: 'live', waits: false },
    { webhookId: 'h3', origin: 'live', waits: true },
    { webhookId: 'h4', origin: 'live', waits: true },
  ])
  expect(planDeliveries([{ ...event, ...tried }], [webhook])).toMatchObject([{ origin: 'test' }])
})

test('an event for one webhook goes to no other, and to that one as its subscription says', () => {
  const forOne = { ...event, onlyWebhookId: 'h1' }

  expect(matches(webhook, forOne)).toBe(true)
  expect(matches({ ...webhook, id: 'h2' }, forOne)).toBe(false)
  expect(matches({ ...webhook, eventTypes: ['tasks.*'] }, forOne)).toBe(false)
})

test.each(['webhooks.test', 'webhooks.failing', 'deliveries.dead_lettered'])(
  'a %s that was triggered goes to all that subscribe, the webhook that it is about included',
  (type) => {
    const triggered = { ...event, type, resourceId: 'h1', origin: 'trigger' } as const

    expect([matches(webhook, triggered), matches({ ...webhook, id: 'h2' }, triggered)]).toEqual([true, true])
    expect(planDeliveries([triggered], [webhook])).toMatchObject([{ origin: 'live', eventType: type }])
  },
)
