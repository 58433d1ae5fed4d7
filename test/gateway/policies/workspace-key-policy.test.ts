// What a workspace demands of keys, to the millisecond.
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { KeyRecord } from '#contract/internal/gateway-endpoints.ts'
import { checkBoundWorkspace, refusalEverywhere } from '../../../gateway/auth/workspace-policies.ts'
import { at, codeOf, keyOf, now } from '../support/checks.ts'

const workspace = (...refusals: KeyRecord['workspaces'][number]['refusals']) => ({
  id: randomUUID(),
  suspended: false,
  refusals,
})
const expiry = { rule: 'requireExpiry', from: at(0) } as const

test.each([
  ['a bound key by a rule in force', true, [workspace(expiry)], 'key_expiry_required'],
  ['not before it is', true, [workspace({ ...expiry, from: at(1) })], 'passes'],
  [
    'by the one in force, not by one in grace',
    true,
    [workspace({ rule: 'requireIpAllowlist', from: at(1) }, expiry)],
    'key_expiry_required',
  ],
  ['an unbound one only where it is refused', false, [workspace(expiry)], 'passes'],
])('policy: %s', (_name, bound, workspaces, code) => {
  expect(codeOf(() => checkBoundWorkspace(keyOf({ bound, workspaces }), now))).toBe(code)
})

test('outside of any workspace a key is refused where all of its workspaces refuse it', () => {
  const everywhere = (...workspaces: KeyRecord['workspaces']) =>
    refusalEverywhere(keyOf({ bound: false, workspaces }), now)?.code
  expect(everywhere(workspace(expiry), workspace(expiry))).toBe('key_expiry_required')
  expect(everywhere(workspace(expiry), workspace())).toBeUndefined()
  expect(everywhere(workspace(expiry), workspace({ ...expiry, from: at(1) }))).toBeUndefined()
  expect(everywhere()).toBeUndefined()
})
