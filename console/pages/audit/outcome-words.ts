import type { AuditEntry } from '#contract/audit-entries.ts'
import type { Tone } from '../../ui/tone.ts'

export const outcomeWords: Readonly<Record<AuditEntry['outcome'], { readonly word: string; readonly tone: Tone }>> = {
  success: { word: 'Success', tone: 'good' },
  denied: { word: 'Denied', tone: 'warn' },
  failed: { word: 'Failed', tone: 'bad' },
}
