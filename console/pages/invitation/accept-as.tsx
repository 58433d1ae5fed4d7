// Accepts an invitation with the signed-in account, or continues with another one.
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { call } from '../../app/call.ts'
import { failureOf } from '../../app/failure.ts'
import { sessionQuery, type CurrentSession } from '../../app/session.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import type { Failure } from '../../ui/failure.ts'
import { FailureNotice } from '../../ui/failure-notice.tsx'
import { Row } from '../../ui/page.tsx'
import { useAccept, type Shown } from './accept.ts'
import { RoleNotice } from './role-notice.tsx'

export function AcceptAs({ token, invitation, session }: Shown & { readonly session: CurrentSession }): ReactNode {
  const { name, email } = session.account
  const accept = useAccept()
  const queries = useQueryClient()
  const [failure, setFailure] = useState<Failure | null>(null)
  const [isBusy, setBusy] = useState(false)
  async function attempt(step: () => Promise<unknown>): Promise<void> {
    setBusy(true)
    setFailure(null)
    try {
      await step()
    } catch (error) {
      setFailure(failureOf(error))
    }
    setBusy(false)
  }
  async function leave(): Promise<void> {
    await call('sessions.end', {})
    await queries.resetQueries({ queryKey: sessionQuery.queryKey })
  }
  return (
    <Card title={`Join ${invitation.workspaceName}`} about={`You are signed in as ${name} (${email}).`}>
      <RoleNotice invitation={invitation} />
      {invitation.email !== email && (
        <p>
          This invitation was created for {invitation.name} ({invitation.email}). If you accept it, your account takes
          the place of this member.
        </p>
      )}
      {failure !== null && <FailureNotice failure={failure} />}
      <Row>
        <Button variant="primary" isBusy={isBusy} onClick={() => void attempt(() => accept({ token }))}>
          Join with this account
        </Button>
        <Link to="/" className={buttonClass()}>
          Not now
        </Link>
      </Row>
      <Row>
        <Button size="small" onClick={() => void attempt(leave)}>
          Use another account
        </Button>
      </Row>
    </Card>
  )
}
