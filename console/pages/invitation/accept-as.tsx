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
import { texts } from './texts.ts'

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
    <Card title={texts.join(invitation.workspaceName)} about={texts.youAreSignedInAs(name, email)}>
      <RoleNotice invitation={invitation} />
      {invitation.email !== email && <p>{texts.thisInvitationWasCreatedFor(invitation.name, invitation.email)}</p>}
      {failure !== null && <FailureNotice failure={failure} />}
      <Row>
        <Button variant="primary" isBusy={isBusy} onClick={() => void attempt(() => accept({ token }))}>
          {texts.joinWithThisAccount}
        </Button>
        <Link to="/" className={buttonClass()}>
          {texts.notNow}
        </Link>
      </Row>
      <Row>
        <Button size="small" onClick={() => void attempt(leave)}>
          {texts.anotherAccountInstead}
        </Button>
      </Row>
    </Card>
  )
}
