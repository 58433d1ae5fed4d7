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
}
const webhook: MatchableWebhook = {
  ...{ workspaceId: 'w1', id: 'h1', eventTypes: ['projects.*'], filter: null, status: 'active', isCircuitOpen: false },
  ...{ hasTokens: null, order: 'none' as const, ignoredKeyIds: [] },
  granted: scopesOf(['*']),
}

test('a webhook gets the events that one of its patterns takes', () => {
  expect(matches(webhook, event)).toBe(true)
  expect(matches({ ...webhook, eventTypes: ['*'] }, event)).toBe(true)
  expect(matches({ ...webhook, eventTypes: ['projects.created', 'projects.updated'] }, event)).toBe(true)
  expect(matches({ ...webhook, eventTypes: ['projects.created'] }, event)).toBe(false)
  expect(matches({ ...webhook, eventTypes: [] }, event)).toBe(false)
})

test('a webhook gets only what it is granted, whatever its patterns take', () => {
  const all = { ...webhook, eventTypes: ['*'] }
  expect(matches({ ...all, granted: ['projects:read'] }, event)).toBe(true)
  expect(matches({ ...all, granted: ['tasks:read'] }, event)).toBe(false)
  expect(matches({ ...all, granted: [] }, event)).toBe(false)
  expect(matches({ ...all, granted: [] }, { ...event, type: 'webhooks.test', resourceId: 'h1' })).toBe(true)
})

test('a filter on projects lets through what happens to them, and nothing that is about something else', () => {
  const filter = { projectIds: ['p1'] }
  expect(matches({ ...webhook, filter }, event)).toBe(true)
  expect(matches({ ...webhook, filter }, { ...event, projectId: 'p2' })).toBe(false)
  const all = { ...webhook, eventTypes: ['*'], filter }
  expect(matches(all, { ...event, type: 'tasks.updated', resourceId: 't1' })).toBe(true)
  expect(matches(all, { ...event, type: 'api-keys.created', projectId: null })).toBe(false)
})

test('a filter on kinds lets through CRM entities of these kinds, and nothing that has no kind', () => {
  const filter = { kinds: ['company' as const, 'deal' as const] }
  const all = { ...webhook, eventTypes: ['*'], filter }
  const deal = { ...event, type: 'crm-entities.updated', resourceKind: 'deal', projectId: null }
  expect(matches(all, deal)).toBe(true)
  expect(matches(all, { ...deal, resourceKind: 'contact' })).toBe(false)
  expect(matches(all, event)).toBe(false)
})

test('a filter on fields lets through updates of any of them, no update of others, and every other type', () => {
  const filter = { changedFields: ['name', 'status'] }
  expect(matches({ ...webhook, filter }, event)).toBe(true)
  expect(matches({ ...webhook, filter }, { ...event, changedFields: ['labels'] })).toBe(false)
  for (const type of ['projects.created', 'projects.deleted', 'projects.archived', 'projects.comment_updated'])
    expect(matches({ ...webhook, filter }, { ...event, type, changedFields: ['archivedAt'] })).toBe(true)
  const ofAnother = { changedFields: ['name'], projectIds: ['p2'] }
  expect(matches({ ...webhook, filter: ofAnother }, { ...event, type: 'projects.created' })).toBe(false)
})

test('a test event goes to the webhook that it is about, whatever its patterns and filter, and to no other', () => {
  const test = { ...event, type: 'webhooks.test', resourceId: 'h1', changedFields: [] }
  expect(matches({ ...webhook, eventTypes: ['projects.created'], filter: { projectIds: ['p9'] } }, test)).toBe(true)
  expect(matches({ ...webhook, id: 'h2', eventTypes: ['*'] }, test)).toBe(false)
  expect(planDeliveries([test], [webhook])).toMatchObject([{ origin: 'test' }])
})

test('what was done with an ignored key is left out; what another key, a person or the service did is not', () => {
  const sync = { ...webhook, ignoredKeyIds: ['k1', 'k2'] }
  expect(matches(sync, event)).toBe(false)
  expect(matches(sync, { ...event, keyId: 'k2' })).toBe(false)
  expect(matches(sync, { ...event, keyId: 'k3' })).toBe(true)
  expect(matches(sync, { ...event, keyId: null })).toBe(true)
  expect(matches(sync, { ...event, type: 'webhooks.test', resourceId: 'h1' })).toBe(true)
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
})

test.each(['webhooks.failing', 'deliveries.dead_lettered'])(
  '%s goes to every webhook but the one that it is about',
  (type) => {
    const told = { ...event, type, resourceId: 'h1', projectId: null, changedFields: [] }
    const all = { ...webhook, eventTypes: ['*'] }
    expect(matches(all, told)).toBe(false)
    expect(matches({ ...all, id: 'h2' }, told)).toBe(true)
  },
)
