// Confirms a new email address by the link that was sent to it. A button confirms, and not the visit: programs that
// check links in emails visit them too. The token is behind `#` and is removed from the URL at once.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { call } from '../../app/call.ts'
import { failureOf } from '../../app/failure.ts'
import { takeToken } from '../../app/link-token.ts'
import { sessionQuery } from '../../app/session.ts'
import { Plain } from '../../app/shell.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { FailureNotice, Notice } from '../../ui/failure-notice.tsx'
import { Stack } from '../../ui/page.tsx'
import { texts } from './texts.ts'

export function ConfirmEmailPage(): ReactNode {
  const [token] = useState(takeToken)
  const queries = useQueryClient()
  const confirm = useMutation({
    mutationFn: () => call('email-changes.confirm-by-link', { token }),
    onSuccess: () => queries.invalidateQueries({ queryKey: sessionQuery.queryKey }),
  })
  return (
    <Plain isTinted>
      <Card title={texts.confirmYourEmailAddress}>
        <Stack>
          {token === '' && (
            <Notice tone="warn" title={texts.thisLinkIsIncomplete}>
              <p>{texts.openTheLinkFromThe}</p>
            </Notice>
          )}
          {token !== '' && confirm.data === undefined && (
            <>
              <p>{texts.afterYouConfirmYouSign}</p>
              {confirm.error !== null && <FailureNotice failure={failureOf(confirm.error)} />}
              <Button variant="primary" isBusy={confirm.isPending} onClick={() => confirm.mutate()}>
                {texts.confirm}
              </Button>
            </>
          )}
          {confirm.data !== undefined && (
            <>
              <Notice tone="good" title={texts.emailAddressConfirmed}>
                <p>{texts.youNowSignInWith(confirm.data.email)}</p>
              </Notice>
              <Link to="/">{texts.goToTheWorkspaceSettings}</Link>
            </>
          )}
        </Stack>
      </Card>
    </Plain>
  )
}
