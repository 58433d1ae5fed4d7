// Until when a key may be used in a workspace: what it was allowed to open there, such as a stream, ends then.
import { expect, test } from 'vitest'
import { lastUseOf } from '../../../gateway/keys/key.ts'
import { at, dayMs, keyOf, now } from '../support/checks.ts'
import { workspaceA, workspaceB } from '../support/service.ts'

const refusedIn = (days: number) => [{ rule: 'requireExpiry', from: at(days * dayMs) } as const]
const workspaces = [
  { id: workspaceA, suspended: false, refusals: refusedIn(3) },
  { id: workspaceB, suspended: false, refusals: [] },
]

test('a key that is bound to no workspace may be used in one until the key policy there refuses it', () => {
  const key = keyOf({ bound: false, workspaces })

  expect(lastUseOf(key, workspaceA)).toBe(now + 3 * dayMs)
  expect(lastUseOf(key, workspaceB)).toBe(Infinity)
  expect(lastUseOf(key, null)).toBe(Infinity)
})

test('what ends the key itself first ends its use everywhere', () => {
  const key = keyOf({ bound: false, workspaces, expiresAt: at(dayMs) })

  expect(lastUseOf(key, workspaceA)).toBe(now + dayMs)
  expect(lastUseOf(key, workspaceB)).toBe(now + dayMs)
})
