// The filters of the audit log, as its address holds them. Pure.
import type { listAuditEntries } from '#contract/audit-entries.ts'
import type { Input } from '#contract/operation.ts'
import { oneOf, searchOf, text } from '../../app/search-params.ts'

export const outcomes = ['success', 'denied', 'failed'] as const
export const periods = ['1', '7', '30', '90'] as const

export const categoryNames = ['sign-ins', 'keys', 'webhooks', 'members', 'workspace', 'agents'] as const
export type Category = (typeof categoryNames)[number]

export const auditSearch = searchOf({
  q: text,
  category: oneOf(categoryNames),
  outcome: oneOf(outcomes),
  action: text,
  actor: text,
  days: oneOf(periods),
  // Those that other pages lead here with.
  target: text,
  request: text,
})
export type AuditSearch = ReturnType<typeof auditSearch>
export type AuditFilter = Omit<Input<typeof listAuditEntries>, 'limit' | 'cursor'>

/**
 * The input of the list, without the actions of a category (categories.ts). A period begins at a full minute, so that
 * the same query can be answered from the cache.
 */
export function auditInput(search: AuditSearch, nowMs: number): AuditFilter {
  const { q, outcome, action, actor, days, target, request } = search
  const from = days === undefined ? null : Math.floor(nowMs / minuteMs) * minuteMs - Number(days) * dayMs
  return {
    ...(q !== undefined && { search: q }),
    ...(outcome !== undefined && { outcome }),
    ...(action !== undefined && { action: [action] }),
    ...(actor !== undefined && { actorId: actor }),
    ...(target !== undefined && { targetId: target }),
    ...(request !== undefined && { requestId: request }),
    ...(from !== null && { createdAfter: new Date(from).toISOString() }),
  }
}

const minuteMs = 60_000
const dayMs = 86_400_000
