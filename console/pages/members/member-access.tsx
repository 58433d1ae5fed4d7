// Shuts a member out for a time, or removes them.
import { useState, type ReactNode } from 'react'
import type { Member } from '#contract/members.ts'
import { failureOf } from '../../app/failure.ts'
import { useChange } from '../../app/workspace.ts'
import { announce } from '../../ui/announcements.tsx'
import { Button } from '../../ui/button.tsx'
import { FailureNotice } from '../../ui/failure-notice.tsx'
import { Row, Section } from '../../ui/page.tsx'
import { EndAccess } from './end-access.tsx'
import type { Ending } from './member-state.ts'

export function MemberAccess({
  member,
  onRemoved,
}: {
  readonly member: Member
  readonly onRemoved: () => void
}): ReactNode {
  const { id, name, status } = member
  const update = useChange('members.update', ['api-keys'])
  const [ending, setEnding] = useState<Ending | null>(null)
  const isSuspended = status === 'suspended'
  function letIn(): void {
    update.mutate({ id, status: 'active' }, { onSuccess: () => announce(`${name} may come in again`) })
  }
  function done(what: Ending): void {
    setEnding(null)
    if (what === 'remove') onRemoved()
  }
  return (
    <Section
      title="Access"
      about={
        isSuspended
          ? 'Suspended: whatever they ask for here is refused, and so are their keys. Their webhooks stay paused when they are let in again.'
          : 'Who is suspended is refused at once, and can be let in again.'
      }
    >
      <Row>
        <Button isBusy={update.isPending} onClick={() => (isSuspended ? letIn() : setEnding('suspend'))}>
          {isSuspended ? 'Let in again' : 'Suspend'}
        </Button>
        <Button variant="danger" icon="trash" onClick={() => setEnding('remove')}>
          Remove
        </Button>
      </Row>
      {update.error !== null && <FailureNotice failure={failureOf(update.error)} />}
      <EndAccess key={ending} member={member} ending={ending} onDone={done} onClose={() => setEnding(null)} />
    </Section>
  )
}
