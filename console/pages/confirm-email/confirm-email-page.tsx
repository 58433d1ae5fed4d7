// Confirms a new e-mail address by the link that was sent to it. A button confirms, and not the visit: programs that
// check links in e-mails visit them too. The token is behind `#` and is removed from the URL at once.
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

export function ConfirmEmailPage(): ReactNode {
  const [token] = useState(takeToken)
  const queries = useQueryClient()
  const confirm = useMutation({
    mutationFn: () => call('email-changes.confirm-by-link', { token }),
    onSuccess: () => queries.invalidateQueries({ queryKey: sessionQuery.queryKey }),
  })
  return (
    <Plain isTinted>
      <Card title="Confirm your e-mail address">
        <Stack>
          {token === '' && (
            <Notice tone="warn" title="This link is incomplete">
              <p>Open the link from the e-mail again.</p>
            </Notice>
          )}
          {token !== '' && confirm.data === undefined && (
            <>
              <p>After you confirm, you sign in with the new address.</p>
              {confirm.error !== null && <FailureNotice failure={failureOf(confirm.error)} />}
              <Button variant="primary" isBusy={confirm.isPending} onClick={() => confirm.mutate()}>
                Confirm
              </Button>
            </>
          )}
          {confirm.data !== undefined && (
            <>
              <Notice tone="good" title="E-mail address confirmed">
                <p>You now sign in with {confirm.data.email}.</p>
              </Notice>
              <Link to="/">Go to the workspace settings</Link>
            </>
          )}
        </Stack>
      </Card>
    </Plain>
  )
}
