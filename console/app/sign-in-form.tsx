// Signs in with the e-mail address and password of an existing account.
import { useQueryClient } from '@tanstack/react-query'
import { input } from 'virtual:input/sessions.create'
import type { ReactNode } from 'react'
import { TextField } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { call } from './call.ts'
import { sessionQuery } from './session.ts'
import { useForm } from './use-form.ts'

export function SignInForm({
  email = '',
  onSignedIn,
}: {
  readonly email?: string
  readonly onSignedIn?: () => void
}): ReactNode {
  const queries = useQueryClient()
  const form = useForm({
    initial: { email, password: '' },
    schema: input,
    isKept: false,
    send: async (values) => {
      queries.setQueryData(sessionQuery.queryKey, await call('sessions.create', values))
      onSignedIn?.()
    },
  })
  return (
    <Form form={form} submit="Sign in">
      <TextField {...form.field('email')} label="E-mail" type="email" autoComplete="username" />
      <TextField {...form.field('password')} label="Password" type="password" autoComplete="current-password" />
    </Form>
  )
}
