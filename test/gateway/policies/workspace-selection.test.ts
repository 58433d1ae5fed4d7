// Which workspace a call acts in.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Fault } from '#contract/faults/fault.ts'
import { chooseWorkspace } from '../../../gateway/auth/workspace-policies.ts'
import { keyFrom, type Key } from '../../../gateway/keys/key.ts'
import { recordOf, workspaceA, workspaceB } from '../support/service.ts'

const keyOf = (bound: boolean, ids: readonly string[], suspended = false): Key =>
  keyFrom({ ...recordOf(), bound, workspaces: ids.map((id) => ({ id, suspended, refusals: [] })) })
const bound = keyOf(true, [workspaceA])
const unbound = keyOf(false, [workspaceA, workspaceB])

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
  ['a key without any workspace', keyOf(true, []), undefined, undefined, 'workspace_not_allowed'],
  ['an unbound key must name one', unbound, undefined, undefined, 'workspace_required'],
  ['by header', unbound, workspaceB, undefined, workspaceB],
  ['by query', unbound, undefined, workspaceB, workspaceB],
  ['both alike, whatever their case', unbound, workspaceB.toUpperCase(), workspaceB, workspaceB],
  ['both, different', unbound, workspaceA, workspaceB, 'workspace_conflict'],
  ['both, different and malformed', unbound, 'x', 'y', 'workspace_conflict'],
  ['malformed', unbound, 'acme', undefined, 'workspace_invalid'],
  ['empty', unbound, '', undefined, 'workspace_invalid'],
  ['suspended', keyOf(true, [workspaceA], true), undefined, undefined, 'workspace_suspended'],
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
        const key = keyOf(isBound, ids)
        const result = outcome(key, header, query)
        expect(ids.includes(result) || result.startsWith('workspace_')).toBe(true)
        if (header !== undefined && ids.includes(header) && query === undefined) expect(result).toBe(header)
      },
    ),
  )
})
