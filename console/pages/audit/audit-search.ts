// The filters of the audit log, as its address holds them.
import { oneOf, searchOf, text } from '../../app/search-params.ts'
import type { AuditEntry } from '#contract/audit-entries.ts'
import type { Tone } from '../../ui/tone.ts'

export const outcomes = ['success', 'denied', 'failed'] as const
export const periods = ['1', '7', '30', '90'] as const

export const auditSearch = searchOf({ outcome: oneOf(outcomes), action: text, actor: text, days: oneOf(periods) })
export type AuditSearch = ReturnType<typeof auditSearch>

/** The input of the list. A period begins at a full minute, so that the same query can be answered from the cache. */
export function auditInput({ outcome, action, actor, days }: AuditSearch, nowMs: number) {
  const from = days === undefined ? null : Math.floor(nowMs / minuteMs) * minuteMs - Number(days) * dayMs
  return {
    ...(outcome !== undefined && { outcome }),
    ...(action !== undefined && { action: [action] }),
    ...(actor !== undefined && { actorId: actor }),
    ...(from !== null && { createdAfter: new Date(from).toISOString() }),
  }
}

const minuteMs = 60_000
const dayMs = 86_400_000

export const outcomeWords: Readonly<Record<AuditEntry['outcome'], { readonly word: string; readonly tone: Tone }>> = {
  success: { word: 'Succeeded', tone: 'good' },
  denied: { word: 'Denied', tone: 'warn' },
  failed: { word: 'Failed', tone: 'bad' },
}
