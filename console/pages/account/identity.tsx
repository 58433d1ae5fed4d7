import { useQueryClient } from '@tanstack/react-query'
import { input } from 'virtual:input/account.update'
import type { ReactNode } from 'react'
import { call } from '../../app/call.ts'
import { sessionQuery, useSession } from '../../app/session.ts'
import { useForm } from '../../app/use-form.ts'
import { announce } from '../../ui/announcements.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Section } from '../../ui/page.tsx'

export function Identity(): ReactNode {
  const { account } = useSession()
  const queries = useQueryClient()
  const form = useForm({
    initial: { name: account.name, email: account.email },
    schema: input,
    send: async (values) => {
      await call('account.update', values)
      await queries.invalidateQueries({ queryKey: sessionQuery.queryKey })
      announce('Saved your account')
    },
  })
  return (
    <Section title="Who you are" about="The e-mail is what you sign in with.">
      <Form form={form} submit="Save">
        <TextField {...form.field('name')} label="Name" autoComplete="name" />
        <TextField {...form.field('email')} label="E-mail" type="email" autoComplete="username" />
      </Form>
    </Section>
  )
}
