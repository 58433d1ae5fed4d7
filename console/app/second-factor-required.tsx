// In the place of every page of a workspace that requires two-factor authentication, for members without it. Before
// that time it is said above the page.
import { Link, useParams } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { buttonClass } from '../ui/button.tsx'
import { Notice } from '../ui/failure-notice.tsx'
import { dayText } from '../ui/moment-text.ts'
import { Page, Row } from '../ui/page.tsx'
import { useMembership } from './session.ts'

export function WithSecondFactor({ children }: { readonly children: ReactNode }): ReactNode {
  const { workspaceId = '' } = useParams({ strict: false })
  const membership = useMembership(workspaceId)
  const [now] = useState(Date.now)
  if (membership?.secondFactor?.isMissing !== true) return children
  const { name, secondFactor } = membership
  const isToCome = Date.parse(secondFactor.requiredFrom) > now
  if (!isToCome)
    return (
      <Page
        isNarrow
        title="Two-factor authentication required"
        guide="/docs/signing-in"
        about={`${name} requires two-factor authentication. Set up an authenticator app or a passkey to continue.`}
      >
        <SetUp />
      </Page>
    )
  return (
    <>
      <Notice tone="warn" title="Set up two-factor authentication">
        <p>
          {name} requires it from {dayText(new Date(secondFactor.requiredFrom))}. From then on, you have no access
          without it.
        </p>
        <SetUp />
      </Notice>
      {children}
    </>
  )
}

const SetUp = (): ReactNode => (
  <Row>
    <Link to="/account" className={buttonClass({ variant: 'primary' })}>
      Set up two-factor authentication
    </Link>
  </Row>
)
