import { expect, test } from 'vitest'
import type { Member } from '#contract/members.ts'
import { allowedTransitions, assertOwnerStays, draft, removed, applyPatch } from '../../../service/members/rules.ts'

const actor = { type: 'system', id: 'operator', name: 'operator' } as const
const now = new Date('2026-01-02T03:04:05.678Z')
const later = new Date('2026-02-03T00:00:00.000Z')
const member = (more: Partial<Member> = {}): Member => ({
  ...draft({ name: 'Ada', email: 'Ada@Example.com' }, { id: 'm', workspaceId: 'w', actor, now }),
  ...more,
})
const owner = () => member({ role: 'owner', status: 'active' })

test('a new member is invited as a member, with the email in lower case', () => {
  expect(member()).toMatchObject({ role: 'member', status: 'invited', email: 'ada@example.com', version: 1 })
})

test('another spelling of the same email changes nothing', () => {
  const before = member()

  expect(applyPatch(before, { email: 'ADA@example.com' }, { actor, now: later })).toBe(before)
})

test('a change raises the version', () => {
  expect(applyPatch(member(), { name: 'Grace' }, { actor, now: later })).toMatchObject({
    name: 'Grace',
    version: 2,
    updatedAt: later.toISOString(),
  })
})

test('nobody is invited a second time', () => {
  expect(allowedTransitions('invited')).toEqual(['active', 'suspended'])
  expect(allowedTransitions('active')).toEqual(['suspended'])
  expect(() => applyPatch(member({ status: 'active' }), { status: 'invited' }, { actor, now: later })).toThrow(
    /cannot become/,
  )
  expect(applyPatch(member({ status: 'suspended' }), { status: 'active' }, { actor, now: later }).status).toBe('active')
})

test('the last active owner keeps role, status and membership', () => {
  for (const after of [member({ role: 'admin', status: 'active' }), member({ role: 'owner', status: 'suspended' })]) {
    expect(() => assertOwnerStays(owner(), after, 0)).toThrow(/at least one active owner/)
    expect(() => assertOwnerStays(owner(), after, 1)).not.toThrow()
  }
  expect(() => assertOwnerStays(owner(), removed(owner(), { actor, now: later }), 0)).toThrow(
    /at least one active owner/,
  )
})

test('a workspace that has no active owner need not get one', () => {
  expect(() => assertOwnerStays(member(), removed(member(), { actor, now: later }), 0)).not.toThrow()
  expect(() => assertOwnerStays(owner(), { ...owner(), name: 'Grace' }, 0)).not.toThrow()
})
