// The filters of the list of keys, as they stand in the address. Pure.
import type { ApiKey } from '#contract/api-keys.ts'
import { oneOf, orderBy, searchOf, text } from '../../app/search-params.ts'
import { hasRisk, riskNames } from './key-risks.ts'

const statuses = ['active', 'rotation_due', 'suspended', 'expired', 'revoked'] as const

const keyOrders = ['name', 'status', 'lastUsedAt', 'rotateBy'] as const

export const keySearch = searchOf({
  q: text,
  status: oneOf(statuses),
  risk: oneOf(riskNames),
  sort: orderBy(keyOrders),
})
export type KeySearch = ReturnType<typeof keySearch>

export function fittingKeys(keys: readonly ApiKey[], { q, status, risk }: KeySearch, nowMs: number): ApiKey[] {
  const wanted = q?.trim().toLowerCase()
  return keys.filter(
    (key) =>
      (wanted === undefined || `${key.name} ${key.prefix} ${key.scopes.join(' ')}`.toLowerCase().includes(wanted)) &&
      (status === undefined || key.status === status) &&
      (risk === undefined || hasRisk(key, risk, nowMs)),
  )
}
