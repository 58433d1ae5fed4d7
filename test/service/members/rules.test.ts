import { expect, test } from 'vitest'
import type { Member } from '#contract/members.ts'
import { allowedTransitions, assertOwnerStays, draft, removed, applyPatch } from '../../../service/members/rules.ts'

const actor = { type: 'system', id: 'operator', name: 'operator' } as const
const now = new Date('2026-01-02T03:04:05.678Z')
const change = { actor, now: new Date('2026-02-03T00:00:00.000Z') }
const member = (more: Partial<Member> = {}): Member => ({
  ...draft({ name: 'Ada', email: 'Ada@Example.com' }, { id: 'm', workspaceId: 'w', actor, now }),
  ...more,
})

test('a new member is invited as a member, with the email in lower case, and nobody is invited a second time', () => {
  expect(member()).toMatchObject({ role: 'member', status: 'invited', email: 'ada@example.com', version: 1 })
  expect(allowedTransitions('invited')).toEqual(['active', 'suspended'])
  expect(allowedTransitions('active')).toEqual(['suspended'])
  expect(() => applyPatch(member({ status: 'active' }), { status: 'invited' }, change)).toThrow(/cannot become/)
  expect(applyPatch(member({ status: 'suspended' }), { status: 'active' }, change).status).toBe('active')
})

test('the last active owner keeps role, status and membership; a workspace that has none need not get one', () => {
  const owner = member({ role: 'owner', status: 'active' })
  const invited = member({ role: 'owner' })

  for (const after of [
    { ...owner, role: 'admin' as const },
    { ...owner, status: 'suspended' as const },
    removed(owner, change),
  ]) {
    expect(() => assertOwnerStays(owner, after, 0)).toThrow(/at least one active owner/)
    expect(() => assertOwnerStays(owner, after, 1)).not.toThrow()
  }
  for (const before of [member(), invited])
    expect(() => assertOwnerStays(before, removed(before, change), 0)).not.toThrow()
  expect(() => assertOwnerStays(owner, invited, 0)).toThrow(/at least one active owner/)
})
