// New emails with which members want to sign in. Owners who know that an address is this person's confirm it.
import { useState, type ReactNode } from 'react'
import type { OperationNamed } from '#contract/api.ts'
import type { Output } from '#contract/operation.ts'
import { failureOf } from '../../app/failure.ts'
import { useChange, useAnswer, useWorkspace } from '../../app/workspace.ts'
import { announce } from '../../ui/announcements.tsx'
import { Button } from '../../ui/button.tsx'
import { FailureNotice, Notice } from '../../ui/failure-notice.tsx'
import { Row } from '../../ui/page.tsx'
import { texts } from './texts.ts'

type EmailChange = Output<OperationNamed<'email-changes.list'>>['data'][number]

/** Nothing where none waits, and for who may not decide. */
export function EmailChanges(): ReactNode {
  const { member } = useWorkspace()
  const { data } = useAnswer('email-changes.list', {})
  const others = data?.data.filter(({ memberId }) => memberId !== member?.memberId) ?? []
  return others.map((change) => <Waiting key={`${change.memberId} ${change.newEmail}`} {...change} />)
}

function Waiting({ memberId: id, name, email, newEmail }: EmailChange): ReactNode {
  const confirm = useChange('email-changes.confirm')
  const decline = useChange('email-changes.decline')
  const [failure, setFailure] = useState<unknown>(null)
  const onError = setFailure
  return (
    <Notice tone="info" title={texts.wantsToChangeTheEmail(name, newEmail)}>
      <p>{texts.theCurrentAddressIsConfirm(email, name)}</p>
      <Row>
        <Button
          size="small"
          isBusy={confirm.isPending}
          onClick={() =>
            confirm.mutate(
              { id, newEmail },
              { onError, onSuccess: () => announce(texts.emailAddressOfChangedTo(name, newEmail)) },
            )
          }
        >
          {texts.confirm}
        </Button>
        <Button
          size="small"
          isBusy={decline.isPending}
          onClick={() =>
            decline.mutate({ id }, { onError, onSuccess: () => announce(texts.emailAddressChangeOfDeclined(name)) })
          }
        >
          {texts.decline}
        </Button>
      </Row>
      {failure !== null && <FailureNotice failure={failureOf(failure)} />}
    </Notice>
  )
}
