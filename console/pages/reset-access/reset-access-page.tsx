// Sets a new password by a link, from an e-mail or from the operator. The token is behind `#` and is removed from the
// URL at once.
import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { input } from 'virtual:input/accounts.recover'
import { useState, type ReactNode } from 'react'
import { consolePrefix } from '#contract/route-paths.ts'
import { call } from '../../app/call.ts'
import { takeToken } from '../../app/link-token.ts'
import { NewPasswordField } from '../../app/new-password-field.tsx'
import { SecondStep, type PendingSignIn } from '../../app/second-step.tsx'
import { sessionQuery } from '../../app/session.ts'
import { Plain } from '../../app/shell.tsx'
import { useForm } from '../../app/use-form.ts'
import { Card } from '../../ui/card.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'

export function ResetAccessPage(): ReactNode {
  const [token] = useState(takeToken)
  const queries = useQueryClient()
  const router = useRouter()
  const [pending, setPending] = useState<PendingSignIn | null>(null)
  const enter = (): void => router.history.replace(consolePrefix)
  const form = useForm({
    initial: { token, newPassword: '' },
    schema: input,
    send: async (values) => {
      const answer = await call('accounts.recover', values)
      if (answer.object === 'pending_sign_in') return setPending(answer)
      queries.setQueryData(sessionQuery.queryKey, answer)
      enter()
    },
  })
  if (pending !== null)
    return (
      <Plain isTinted>
        <Card title="Sign in" about="Your new password is set.">
          <SecondStep
            pending={pending}
            onSignedIn={enter}
            onOver={() => void router.navigate({ to: '/sign-in', replace: true })}
          />
        </Card>
      </Plain>
    )
  return (
    <Plain isTinted>
      <Card title="Set a new password" about="Setting a new password signs you out of all sessions.">
        <Form form={form} submit="Set password">
          <TextField
            {...form.field('token')}
            label="Token"
            hint="The token is part of the link that you received."
            autoComplete="off"
          />
          <NewPasswordField {...form.field('newPassword')} label="New password" />
        </Form>
      </Card>
    </Plain>
  )
}
