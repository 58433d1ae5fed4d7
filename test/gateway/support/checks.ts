// What the tests of single checks share: a key as they see it, a moment, and how a check ended.
import type { Fault } from '#contract/faults/fault.ts'
import type { KeyRecord } from '#contract/internal/gateway-endpoints.ts'
import { keyFrom, type Key } from '../../../gateway/keys/key.ts'
import { recordOf } from './service.ts'

export const now = Date.parse('2026-06-01T12:00:00.000Z')
/** So many milliseconds from now. */
export const at = (ms: number): string => new Date(now + ms).toISOString()
export const dayMs = 86_400_000

export const keyOf = (more: Partial<KeyRecord>): Key => keyFrom({ ...recordOf(), ...more })

export function thrownBy(act: () => unknown): unknown {
  try {
    act()
    return undefined
  } catch (thrown) {
    return thrown
  }
}

export const codeOf = (check: () => unknown): string => (thrownBy(check) as Fault | undefined)?.code ?? 'passes'
