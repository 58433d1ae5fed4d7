import { useQuery, useQueryClient } from '@tanstack/react-query'
import { input } from 'virtual:input/account.change-password'
import type { ReactNode } from 'react'
import { call } from '../../app/call.ts'
import { NewPasswordField } from '../../app/new-password-field.tsx'
import { signInMethodsQuery } from '../../app/provider-sign-in.ts'
import { useSession } from '../../app/session.ts'
import { useForm } from '../../app/use-form.ts'
import { announce } from '../../ui/announcements.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Section } from '../../ui/page.tsx'

const noPasswords = { currentPassword: '', newPassword: '' }

export const Password = (): ReactNode => (useSession().account.hasPassword ? <ChangePassword /> : <NoPassword />)

function NoPassword(): ReactNode {
  const provider = useQuery(signInMethodsQuery).data?.provider?.name ?? 'the sign-in provider'
  return (
    <Section
      title="Password"
      about={`This account has no password, because you sign in with ${provider}. An earlier password was removed. If you lose access to ${provider}, ask the operator to reset your access.`}
    >
      {null}
    </Section>
  )
}

function ChangePassword(): ReactNode {
  const queries = useQueryClient()
  const form = useForm({
    initial: noPasswords,
    schema: input,
    send: async (values) => {
      await call('account.change-password', values)
      form.set(noPasswords)
      await queries.invalidateQueries({ queryKey: ['sessions.list'] })
      announce('Password changed')
    },
  })
  return (
    <Section title="Password" about="Changing your password signs you out of all other sessions.">
      <Form form={form} submit="Change password">
        <TextField
          {...form.field('currentPassword')}
          label="Current password"
          type="password"
          autoComplete="current-password"
        />
        <NewPasswordField {...form.field('newPassword')} label="New password" />
      </Form>
    </Section>
  )
}
