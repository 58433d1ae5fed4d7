// Asks for the password before what makes a secret or changes who may do what. The call that waits is then repeated.
import { useSyncExternalStore, type ReactNode } from 'react'
import { input } from 'virtual:input/sessions.confirm'
import { Dialog, DialogForm } from '../ui/dialog.tsx'
import { FailureNotice } from '../ui/failure-notice.tsx'
import { TextField } from '../ui/field.tsx'
import { call } from './call.ts'
import { isWaitingForPassword, onConfirmationChange, settleConfirmation } from './confirmation.ts'
import { useForm } from './use-form.ts'

export function ConfirmationDialog(): ReactNode {
  const isOpen = useSyncExternalStore(onConfirmationChange, isWaitingForPassword)
  return (
    <Dialog isOpen={isOpen} title="Confirm that it is you" onClose={() => settleConfirmation(false)}>
      <PasswordForm />
    </Dialog>
  )
}

function PasswordForm(): ReactNode {
  const form = useForm({
    initial: { password: '' },
    schema: input,
    send: async ({ password }) => {
      await call('sessions.confirm', { password })
      settleConfirmation(true)
    },
  })
  return (
    <DialogForm confirm="Confirm" isBusy={form.isBusy} onConfirm={form.send} onCancel={() => settleConfirmation(false)}>
      <p>
        This makes or shows a secret, or changes who may do what. For the next ten minutes you will not be asked again.
      </p>
      {form.failure && <FailureNotice failure={form.failure} />}
      <TextField
        label="Password"
        type="password"
        autoComplete="current-password"
        // It was opened to be typed in.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        value={form.values.password}
        mistake={form.mistakes['password']}
        onValue={(password) => form.set({ password })}
      />
    </DialogForm>
  )
}
