// Has the log verified from its first entry to its last, part by part: one call checks a bounded number of entries.
import { useState, type ReactNode } from 'react'
import { call } from '../../app/call.ts'
import { failureOf } from '../../app/failure.ts'
import { useWorkspace } from '../../app/workspace.ts'
import { announce } from '../../ui/announcements.tsx'
import { Button } from '../../ui/button.tsx'

export function VerifyLog(): ReactNode {
  const { id: workspaceId, may } = useWorkspace()
  const [isBusy, setBusy] = useState(false)
  async function verify(): Promise<void> {
    setBusy(true)
    try {
      announce(...(await verified(workspaceId)))
    } catch (error) {
      announce(failureOf(error).detail, 'bad')
    } finally {
      setBusy(false)
    }
  }
  if (!may('audit-entries:read')) return null
  return (
    <Button icon="policy" isBusy={isBusy} onClick={() => void verify()}>
      Verify log
    </Button>
  )
}

async function verified(workspaceId: string): Promise<[text: string, tone: 'good' | 'bad']> {
  let checked = 0
  for (let from = 1; ;) {
    const part = await call('audit-entries.verify', { from }, { workspaceId })
    checked += part.checked
    if (!part.intact)
      return [`Verification failed: entry ${part.brokenAt} was changed (${part.reason}). Contact the operator.`, 'bad']
    if (part.complete) return [`Verified: all ${checked} entries are unchanged.`, 'good']
    from = part.lastNumber + 1
  }
}
