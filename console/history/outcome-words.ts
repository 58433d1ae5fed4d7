// What came of an action, as the audit log says it.
import type { AuditEntry } from '#contract/audit-entries.ts'
import type { Tone } from '../ui/tone.ts'
import { texts } from './texts.ts'

export const outcomeWords: Readonly<Record<AuditEntry['outcome'], { readonly word: string; readonly tone: Tone }>> = {
  success: { word: texts.succeeded, tone: 'good' },
  denied: { word: texts.denied, tone: 'warn' },
  failed: { word: texts.failed, tone: 'bad' },
}
