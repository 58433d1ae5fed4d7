// In the place of every page of a workspace that requires two-factor authentication, for members without it. Before
// that time it is said above the page.
import { Link, useParams } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { buttonClass } from '../ui/button.tsx'
import { Notice } from '../ui/failure-notice.tsx'
import { dayText } from '../ui/moment-text.ts'
import { Page, Row } from '../ui/page.tsx'
import css from './second-factor-required.module.css'
import { useMembership } from './session.ts'
import { texts } from './texts.tsx'

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
        title={texts.twoFactorAuthenticationRequired}
        guide="/docs/signing-in"
        about={texts.requiresTwoFactorAuthenticationSet(name)}
      >
        <SetUp />
      </Page>
    )
  return (
    <>
      <div className={css.banner}>
        <Notice tone="warn" title={texts.setUpTwoFactorAuthentication}>
          <p>{texts.requiresItFromFromThen(name, dayText(new Date(secondFactor.requiredFrom)))}</p>
          <SetUp />
        </Notice>
      </div>
      {children}
    </>
  )
}

const SetUp = (): ReactNode => (
  <Row>
    <Link to="/account" className={buttonClass({ variant: 'primary' })}>
      {texts.setUpTwoFactorAuthentication}
    </Link>
  </Row>
)
