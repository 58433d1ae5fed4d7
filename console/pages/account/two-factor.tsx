// Two-factor authentication of the account: an authenticator app, and recovery codes. Passkeys have a section of their
// own.
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { call } from '../../app/call.ts'
import { failureOf } from '../../app/failure.ts'
import { useSession } from '../../app/session.ts'
import { announce } from '../../ui/announcements.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { FailureNotice } from '../../ui/failure-notice.tsx'
import { Facts, Row, Section, Stack } from '../../ui/page.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { secondFactorsQuery, useFactorActions, type OnCodes, type SecondFactors } from './factor-actions.ts'
import { SetUpAuthenticator, type AuthenticatorSetup } from './set-up-authenticator.tsx'

export function TwoFactor({ onCodes }: { readonly onCodes: OnCodes }): ReactNode {
  const { account } = useSession()
  const { data, error, refetch } = useQuery(secondFactorsQuery)
  if (!account.hasPassword)
    return (
      <Section
        title="Two-factor authentication"
        about="You sign in at the sign-in provider, which is responsible for your second factor. Set it up there."
      >
        {null}
      </Section>
    )
  return (
    <Section
      title="Two-factor authentication"
      about="A second step when you sign in and when you confirm sensitive actions: a code from an app on your phone, or a passkey."
    >
      {error !== null && <FailureNotice failure={failureOf(error)} retry={() => void refetch()} />}
      {data !== undefined && <Factors factors={data} onCodes={onCodes} />}
    </Section>
  )
}

function Factors({ factors, onCodes }: { readonly factors: SecondFactors; readonly onCodes: OnCodes }): ReactNode {
  const [setup, setSetup] = useState<AuthenticatorSetup | null>(null)
  const { isBusy, attempt, refresh } = useFactorActions()
  async function enabled(codes: readonly string[] | null): Promise<void> {
    setSetup(null)
    announce('Authenticator app set up')
    if (codes !== null) onCodes(codes)
    await refresh()
  }
  if (setup !== null)
    return (
      <SetUpAuthenticator setup={setup} onEnabled={(codes) => void enabled(codes)} onCancel={() => setSetup(null)} />
    )
  const begin = () => void attempt(async () => setSetup(await call('second-factors.begin-authenticator', {})))
  if (factors.authenticator === null && factors.passkeys.length === 0)
    return (
      <Row>
        <Badge tone="neutral">Off</Badge>
        <Button variant="primary" isBusy={isBusy} onClick={begin}>
          Set up authenticator app
        </Button>
      </Row>
    )
  return <TurnedOn factors={factors} begin={begin} onCodes={onCodes} />
}

const factsOf = ({ authenticator, recoveryCodes }: SecondFactors) => [
  { name: 'Status', value: <Badge tone="good">On</Badge> },
  {
    name: 'Authenticator app added',
    value: authenticator === null ? 'Not set up' : <RelativeTime at={authenticator.createdAt} />,
  },
  {
    name: 'Last used',
    value: authenticator?.lastUsedAt == null ? 'Never' : <RelativeTime at={authenticator.lastUsedAt} />,
  },
  { name: 'Recovery codes left', value: recoveryCodes },
]

function TurnedOn({
  factors,
  begin,
  onCodes,
}: {
  readonly factors: SecondFactors
  readonly begin: () => void
  readonly onCodes: OnCodes
}): ReactNode {
  const { authenticator } = factors
  const [asked, setAsked] = useState<'remove' | 'regenerate' | null>(null)
  const { isBusy, attempt, refresh } = useFactorActions()
  const remove = () =>
    attempt(async () => {
      await call('second-factors.remove-authenticator', {})
      announce('Authenticator app removed')
      await refresh()
    })
  const regenerate = () =>
    attempt(async () => {
      const { recoveryCodes } = await call('second-factors.regenerate-recovery-codes', {})
      await refresh()
      onCodes(recoveryCodes)
    })
  return (
    <Stack>
      <Facts facts={factsOf(factors)} />
      <Row>
        <Button onClick={begin}>{`${authenticator === null ? 'Set up' : 'Change'} authenticator app`}</Button>
        <Button onClick={() => setAsked('regenerate')}>Generate new recovery codes</Button>
        {authenticator !== null && (
          <Button variant="removal" onClick={() => setAsked('remove')}>
            Remove authenticator app
          </Button>
        )}
      </Row>
      <ConfirmDialog
        isOpen={asked !== null}
        title={asked === 'remove' ? 'Remove the authenticator app?' : 'Generate new recovery codes?'}
        confirm={asked === 'remove' ? 'Remove' : 'Generate'}
        isBusy={isBusy}
        onConfirm={() => void (asked === 'remove' ? remove() : regenerate()).then(() => setAsked(null))}
        onClose={() => setAsked(null)}
      >
        <p>
          {asked === 'remove'
            ? 'Without another second factor, your password alone signs you in, and your recovery codes stop working.'
            : 'Your current recovery codes stop working at once.'}
        </p>
      </ConfirmDialog>
    </Stack>
  )
}
