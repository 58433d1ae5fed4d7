// Which workspace a call acts in.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Fault } from '#contract/faults/fault.ts'
import { chooseWorkspace, checkBoundWorkspace, refusalEverywhere } from '../../../gateway/auth/workspace-policies.ts'
import { keyFrom, type Key } from '../../../gateway/keys/key.ts'
import { recordOf, workspaceA, workspaceB } from '../support/service.ts'
import { randomUUID } from 'node:crypto'
import type { KeyRecord } from '#contract/internal/gateway-endpoints.ts'
import { at, codeOf, keyOf, now } from '../support/checks.ts'

const keyIn = (bound: boolean, ids: readonly string[], suspended = false): Key =>
  keyFrom({ ...recordOf(), bound, workspaces: ids.map((id) => ({ id, suspended, refusals: [] })) })
const bound = keyIn(true, [workspaceA])
const unbound = keyIn(false, [workspaceA, workspaceB])

function outcome(key: Key, header?: string, query?: string): string {
  try {
    const { id, suspended } = chooseWorkspace(key, { header, query })
    return suspended ? 'workspace_suspended' : id
  } catch (thrown) {
    return (thrown as Fault).code
  }
}

test.each([
  ['a bound key needs no name', bound, undefined, undefined, workspaceA],
  ['a bound key may name its own', bound, workspaceA, undefined, workspaceA],
  ['a bound key for another', bound, workspaceB, undefined, 'workspace_not_allowed'],
  ['a key without any workspace', keyIn(true, []), undefined, undefined, 'workspace_not_allowed'],
  ['an unbound key must name one', unbound, undefined, undefined, 'workspace_required'],
  ['by header', unbound, workspaceB, undefined, workspaceB],
  ['by query', unbound, undefined, workspaceB, workspaceB],
  ['both alike, whatever their case', unbound, workspaceB.toUpperCase(), workspaceB, workspaceB],
  ['both, different', unbound, workspaceA, workspaceB, 'workspace_conflict'],
  ['both, different and malformed', unbound, 'x', 'y', 'workspace_conflict'],
  ['malformed', unbound, 'acme', undefined, 'workspace_invalid'],
  ['empty', unbound, '', undefined, 'workspace_invalid'],
  ['suspended', keyIn(true, [workspaceA], true), undefined, undefined, 'workspace_suspended'],
])('%s', (_name, key, header, query, expected) => {
  expect(outcome(key, header, query)).toBe(expected)
})

const name = fc.option(fc.oneof(fc.uuid(), fc.constantFrom(workspaceA, workspaceB), fc.string()), { nil: undefined })

test('whatever is named, a call acts in a workspace of its key or not at all', () => {
  fc.assert(
    fc.property(
      fc.boolean(),
      fc.uniqueArray(fc.uuid(), { maxLength: 3 }),
      name,
      name,
      (isBound, ids, header, query) => {
        const key = keyIn(isBound, ids)
        const result = outcome(key, header, query)
        expect(ids.includes(result) || result.startsWith('workspace_')).toBe(true)
        if (header !== undefined && ids.includes(header) && query === undefined) expect(result).toBe(header)
      },
    ),
  )
})

// What a workspace demands of keys, to the millisecond.

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
