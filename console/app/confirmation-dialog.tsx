// Asks for the password, and the second factor of who has one, before what makes a secret or changes who may do what.
// The call that waits is then repeated. Who signs in at a provider confirms there, comes back to the same page, and
// calls again.
import { useQuery } from '@tanstack/react-query'
import { useSyncExternalStore, type ReactNode } from 'react'
import { input } from 'virtual:input/sessions.confirm'
import { consolePrefix } from '#contract/route-paths.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogButtons, DialogForm } from '../ui/dialog.tsx'
import { FailureNotice } from '../ui/failure-notice.tsx'
import { TextField } from '../ui/field.tsx'
import { call } from './call.ts'
import { isWaitingForPassword, onConfirmationChange, settleConfirmation } from './confirmation.ts'
import { PasskeyButton } from './passkey-button.tsx'
import { confirmWithPasskey } from './passkeys.ts'
import { ProviderButton } from './provider-button.tsx'
import { signInMethodsQuery } from './provider-sign-in.ts'
import { CodeField } from './second-step.tsx'
import { sessionQuery } from './session.ts'
import { useForm } from './use-form.ts'
import { texts } from './texts.tsx'

export function ConfirmationDialog(): ReactNode {
  const isOpen = useSyncExternalStore(onConfirmationChange, isWaitingForPassword)
  return (
    <Dialog isOpen={isOpen} title={texts.confirmYourIdentity} onClose={cancel}>
      <Ways />
    </Dialog>
  )
}

const cancel = (): void => settleConfirmation(false)
const why = texts.thisActionIsSensitiveSo

function Ways(): ReactNode {
  const { data, isPending } = useQuery(signInMethodsQuery)
  const hasPassword = useQuery(sessionQuery).data?.account.hasPassword ?? true
  if (isPending) return null
  if (hasPassword && data?.password !== false) return <PasswordForm />
  return (
    <>
      <p>{why}</p>
      <DialogButtons>
        <Button onClick={cancel}>{texts.cancel}</Button>
        <AtProvider />
      </DialogButtons>
    </>
  )
}

/** The page is left, and come back to. */
const AtProvider = (): ReactNode => (
  <ProviderButton way={{ fresh: true, next: location.pathname.slice(consolePrefix.length) + location.search }} />
)

function PasswordForm(): ReactNode {
  const factors = useQuery(sessionQuery).data?.secondFactors ?? []
  const isTwoFactor = factors.length > 0
  const form = useForm({
    initial: { password: '', code: '' },
    schema: input,
    // Sent only where two-factor authentication is on.
    inputOf: ({ password, code }) => ({ password, ...(isTwoFactor && { code }) }),
    check: ({ code }) => (isTwoFactor && code === '' ? { code: 'This field is required.' } : {}),
    isKept: false,
    send: async ({ password, code }) => {
      await call('sessions.confirm', { password, ...(isTwoFactor && { code }) })
      settleConfirmation(true)
    },
  })
  return (
    <DialogForm confirm={texts.confirm} isBusy={form.isBusy} onConfirm={form.send} onCancel={cancel}>
      <p>{why}</p>
      {form.failure && <FailureNotice failure={form.failure} />}
      <TextField
        {...form.field('password')}
        label={texts.password}
        type="password"
        autoComplete="current-password"
        // It was opened to be typed in.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
      />
      {isTwoFactor && <CodeField {...form.field('code')} isFocused={false} hint={texts.fromYourAuthenticatorAppOr} />}
      {factors.includes('passkey') && (
        <PasskeyButton label={texts.passkeyInstead} act={confirmWithPasskey} onDone={() => settleConfirmation(true)} />
      )}
      <AtProvider />
    </DialogForm>
  )
}
