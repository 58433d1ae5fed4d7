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
import { texts } from './texts.ts'

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
    update.mutate({ id, status: 'active' }, { onSuccess: () => announce(texts.reactivated(name)) })
  }
  function done(what: Ending): void {
    setEnding(null)
    if (what === 'remove') onRemoved()
  }
  return (
    <Section
      title={texts.access}
      about={isSuspended ? texts.thisMemberIsSuspendedAnd : texts.aSuspendedMemberLosesAccess}
    >
      <Row>
        <Button isBusy={update.isPending} onClick={() => (isSuspended ? letIn() : setEnding('suspend'))}>
          {isSuspended ? texts.reactivate : texts.memberAccessSuspend}
        </Button>
        <Button variant="removal" icon="trash" onClick={() => setEnding('remove')}>
          {texts.memberAccessRemove}
        </Button>
      </Row>
      {update.error !== null && <FailureNotice failure={failureOf(update.error)} />}
      <EndAccess key={ending} member={member} ending={ending} onDone={done} onClose={() => setEnding(null)} />
    </Section>
  )
}
