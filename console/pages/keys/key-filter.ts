// The filters of the list of keys, as they stand in the address. Pure.
import type { ApiKey } from '#contract/api-key-schema.ts'
import { oneOf, searchOf, text } from '../../app/search-params.ts'

const statuses = ['active', 'rotation_due', 'expired', 'revoked'] as const
const risks = ['neverExpires', 'noIpAllowlist', 'idle', 'rotationDue'] as const

export const keySearch = searchOf({ q: text, status: oneOf(statuses), risk: oneOf(risks) })
export type KeySearch = ReturnType<typeof keySearch>

type Fits = (key: ApiKey, risk: NonNullable<KeySearch['risk']>) => boolean

export function fittingKeys(keys: readonly ApiKey[], { q, status, risk }: KeySearch, hasRisk: Fits): ApiKey[] {
  const wanted = q?.trim().toLowerCase()
  return keys.filter(
    (key) =>
      (wanted === undefined || `${key.name} ${key.prefix} ${key.scopes.join(' ')}`.toLowerCase().includes(wanted)) &&
      (status === undefined || key.status === status) &&
      (risk === undefined || hasRisk(key, risk)),
  )
}
