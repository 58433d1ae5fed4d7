// Which alarm an event raises.
import { expect, test } from 'vitest'
import { memberAdded, memberUpdated } from '#contract/members.ts'
import { apiKeyRotationDue, apiKeyRevoked } from '#contract/api-keys.ts'
import { webhookFailing } from '#contract/webhooks.ts'
import type { Event } from '#contract/event.ts'
import { alarmOf } from '../../../service/alarms/raise.ts'

const emitted = (event: Event, after: object, before?: object, origin?: 'trigger') => ({
  ...{ id: 'e', at: new Date(0), event, after, before, about: undefined, origin, onlyWebhookId: undefined },
})
const member = { id: 'm', name: 'Grace', role: 'owner', status: 'active', version: 3 }

test('a member who becomes an active owner raises one, however that comes about; an owner who changes raises none', () => {
  const raised = [
    emitted(memberAdded, member),
    emitted(memberUpdated, member, { ...member, role: 'admin' }),
    emitted(memberUpdated, member, { ...member, status: 'invited' }),
    emitted(memberUpdated, member, { ...member, status: 'suspended' }),
  ]
  const quiet = [
    emitted(memberAdded, { ...member, status: 'invited' }),
    emitted(memberAdded, { ...member, role: 'admin' }),
    emitted(memberUpdated, member, { ...member, name: 'G' }),
    emitted(memberUpdated, { ...member, role: 'admin' }, member),
  ]

  for (const each of raised)
    expect(alarmOf(each)).toMatchObject({ kind: 'owner_added', subjectId: 'm', subjectName: 'Grace', occasion: '3' })
  expect(quiet.map(alarmOf)).toEqual([null, null, null, null])
})

test('the occasion is what has to change for another alarm; what was only triggered raises none', () => {
  const failing = {
    since: '2026-01-01T00:00:00.000Z',
    disabledFrom: '2026-01-06T00:00:00.000Z',
    failedTries: 12,
    percent: 50,
  }
  const webhook = { id: 'w', name: 'CRM', failing }
  const key = { id: 'k', name: 'Sync', secretCreatedAt: '2025-01-01T00:00:00.000Z' }

  expect(alarmOf(emitted(webhookFailing, webhook))).toEqual({
    ...{ kind: 'webhook_failing', subjectId: 'w', subjectName: 'CRM', occasion: failing.since, rule: null },
    ...{ dueAt: new Date(failing.disabledFrom), count: 12 },
  })
  expect(alarmOf(emitted(webhookFailing, { ...webhook, failing: { ...failing, percent: 90 } }))?.occasion).toBe(
    failing.since,
  )
  expect(alarmOf(emitted(apiKeyRotationDue, key))?.occasion).toBe(key.secretCreatedAt)
  expect(alarmOf(emitted(apiKeyRevoked, key))).toBeNull()
  expect(alarmOf(emitted(webhookFailing, webhook, undefined, 'trigger'))).toBeNull()
})
