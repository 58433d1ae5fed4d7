import { useQueryClient } from '@tanstack/react-query'
import { input } from 'virtual:input/account.change-password'
import type { ReactNode } from 'react'
import { call } from '../../app/call.ts'
import { NewPasswordField } from '../../app/new-password-field.tsx'
import { useForm } from '../../app/use-form.ts'
import { announce } from '../../ui/announcements.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Section } from '../../ui/page.tsx'

const noPasswords = { currentPassword: '', newPassword: '' }

export function Password(): ReactNode {
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
