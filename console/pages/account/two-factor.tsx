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
import { texts } from './texts.ts'

export function TwoFactor({ onCodes }: { readonly onCodes: OnCodes }): ReactNode {
  const { account } = useSession()
  const { data, error, refetch } = useQuery(secondFactorsQuery)
  if (!account.hasPassword)
    return (
      <Section title={texts.twoFactorAuthentication} about={texts.youSignInAtThe}>
        {null}
      </Section>
    )
  return (
    <Section title={texts.twoFactorAuthentication} about={texts.aSecondStepWhenYou}>
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
    announce(texts.authenticatorAppSetUp)
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
        <Badge tone="neutral">{texts.off}</Badge>
        <Button variant="primary" isBusy={isBusy} onClick={begin}>
          {texts.setUpAuthenticatorApp}
        </Button>
      </Row>
    )
  return <TurnedOn factors={factors} begin={begin} onCodes={onCodes} />
}

const factsOf = ({ authenticator, recoveryCodes }: SecondFactors) => [
  { name: texts.status, value: <Badge tone="good">{texts.twoFactorOn}</Badge> },
  {
    name: texts.appItself,
    value:
      authenticator === null ? (
        texts.notSetUp
      ) : (
        <>
          {texts.added} <RelativeTime at={authenticator.createdAt} />
        </>
      ),
  },
  ...(authenticator === null
    ? []
    : [
        {
          name: texts.authenticatorAppLastUsed,
          value: authenticator.lastUsedAt === null ? texts.never : <RelativeTime at={authenticator.lastUsedAt} />,
        },
      ]),
  { name: texts.recoveryCodesLeft, value: recoveryCodes },
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
  const { authenticator, passkeys } = factors
  const afterRemoval = passkeys.length === 0 ? texts.thisIsYourOnlySecondFactor : texts.yourPasskeysKeepWorking
  const [asked, setAsked] = useState<'remove' | 'regenerate' | null>(null)
  const { isBusy, attempt, refresh } = useFactorActions()
  const remove = () =>
    attempt(async () => {
      await call('second-factors.remove-authenticator', {})
      announce(texts.authenticatorAppRemoved)
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
        <Button onClick={begin}>{texts.authenticatorApp(authenticator === null)}</Button>
        <Button onClick={() => setAsked('regenerate')}>{texts.generateNewRecoveryCodes}</Button>
        {authenticator !== null && (
          <Button variant="removal" onClick={() => setAsked('remove')}>
            {texts.removeAuthenticatorApp}
          </Button>
        )}
      </Row>
      <ConfirmDialog
        isOpen={asked !== null}
        title={asked === 'remove' ? texts.removeTheAuthenticatorApp : texts.twoFactorGenerateNewRecoveryCodes}
        confirm={asked === 'remove' ? texts.passkeysRemove : texts.generate}
        isBusy={isBusy}
        onConfirm={() => void (asked === 'remove' ? remove() : regenerate()).then(() => setAsked(null))}
        onClose={() => setAsked(null)}
      >
        <p>{asked === 'remove' ? afterRemoval : texts.yourCurrentRecoveryCodesStop}</p>
      </ConfirmDialog>
    </Stack>
  )
}
