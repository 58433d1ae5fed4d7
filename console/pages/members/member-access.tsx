// Shuts a member out for a time, or removes them.
import { useState, type ReactNode } from 'react'
import type { Member } from '#contract/members.ts'
import { failureOf } from '../../app/failure.ts'
import { useChange } from '../../app/workspace.ts'
import { announce } from '../../ui/announcements.tsx'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { FailureNotice } from '../../ui/failure-notice.tsx'
import { Row, Section } from '../../ui/page.tsx'

export function MemberAccess({
  member: { id, name, status },
  onRemoved,
}: {
  readonly member: Member
  readonly onRemoved: () => void
}): ReactNode {
  const update = useChange('members.update')
  const [isAsking, setAsking] = useState(false)
  const isSuspended = status === 'suspended'
  function change(): void {
    const onSuccess = () => announce(isSuspended ? `${name} may come in again` : `${name} is shut out`)
    update.mutate({ id, status: isSuspended ? 'active' : 'suspended' }, { onSuccess })
  }
  return (
    <Section
      title="Access"
      about={
        isSuspended
          ? 'Suspended: whatever they ask for here is refused.'
          : 'Who is suspended is refused at once, and can be let in again.'
      }
    >
      <Row>
        <Button isBusy={update.isPending} onClick={change}>
          {isSuspended ? 'Let in again' : 'Suspend'}
        </Button>
        <Button variant="danger" icon="trash" onClick={() => setAsking(true)}>
          Remove
        </Button>
      </Row>
      {update.error !== null && <FailureNotice failure={failureOf(update.error)} />}
      <RemoveMember id={id} name={name} isOpen={isAsking} onRemoved={onRemoved} onClose={() => setAsking(false)} />
    </Section>
  )
}

function RemoveMember({
  id,
  name,
  isOpen,
  onRemoved,
  onClose,
}: {
  readonly id: string
  readonly name: string
  readonly isOpen: boolean
  readonly onRemoved: () => void
  readonly onClose: () => void
}): ReactNode {
  const remove = useChange('members.remove')
  function confirmed(): void {
    const onSuccess = () => {
      announce(`Removed ${name}`)
      onRemoved()
    }
    remove.mutate({ id }, { onSuccess })
  }
  return (
    <ConfirmDialog
      isOpen={isOpen}
      isBusy={remove.isPending}
      title={`Remove ${name}?`}
      confirm="Remove the member"
      onConfirm={confirmed}
      onClose={onClose}
    >
      <p>They are refused here from now on, and an invitation that is open ends.</p>
      <p>
        Tasks, projects and CRM entities that name them go on without. What they have done keeps their name, and keys
        that they own go on working.
      </p>
      {remove.error !== null && <FailureNotice failure={failureOf(remove.error)} />}
    </ConfirmDialog>
  )
}
