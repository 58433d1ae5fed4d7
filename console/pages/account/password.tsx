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
import { texts } from './texts.ts'

const noPasswords = { currentPassword: '', newPassword: '' }

export const Password = (): ReactNode => (useSession().account.hasPassword ? <ChangePassword /> : <NoPassword />)

function NoPassword(): ReactNode {
  const provider = useQuery(signInMethodsQuery).data?.provider?.name ?? texts.theSignInProvider
  return (
    <Section title={texts.password} about={texts.thisAccountHasNoPassword(provider)}>
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
      announce(texts.passwordChanged)
    },
  })
  return (
    <Section title={texts.password} about={texts.changingYourPasswordSignsYou}>
      <Form form={form} submit={texts.changePassword}>
        <TextField
          {...form.field('currentPassword')}
          label={texts.currentPassword}
          type="password"
          autoComplete="current-password"
        />
        <NewPasswordField {...form.field('newPassword')} label={texts.newPassword} />
      </Form>
    </Section>
  )
}
