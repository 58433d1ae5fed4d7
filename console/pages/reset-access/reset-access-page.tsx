// Sets a new password by a link, from an email or from the operator. The token is behind `#` and is removed from the
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
import { texts } from './texts.ts'

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
        <Card title={texts.signIn} about={texts.yourNewPasswordIsSet}>
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
      <Card title={texts.setANewPassword} about={texts.settingANewPasswordSigns}>
        <Form form={form} submit={texts.setPassword}>
          {/* A link that holds the token leaves nothing to type. */}
          {(token === '' || form.field('token').mistake !== undefined) && (
            <TextField {...form.field('token')} label={texts.token} hint={texts.theTokenIsPartOf} autoComplete="off" />
          )}
          <NewPasswordField {...form.field('newPassword')} label={texts.newPassword} />
        </Form>
      </Card>
    </Plain>
  )
}
