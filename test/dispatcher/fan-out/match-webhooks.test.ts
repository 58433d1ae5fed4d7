// Which webhooks get an event.
import { expect, test } from 'vitest'
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
