// Signs in with the e-mail address and password of an existing account, and its second factor if it has one.
import { useQueryClient } from '@tanstack/react-query'
import { input } from 'virtual:input/sessions.create'
import { useState, type ReactNode } from 'react'
import type { Failure } from '../ui/failure.ts'
import { FailureNotice } from '../ui/failure-notice.tsx'
import { TextField } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { call } from './call.ts'
import { failureOf } from './failure.ts'
import { SecondStep, type PendingSignIn } from './second-step.tsx'
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
  const [pending, setPending] = useState<PendingSignIn | null>(null)
  const [over, setOver] = useState<Failure | null>(null)
  const form = useForm({
    initial: { email, password: '' },
    schema: input,
    isKept: false,
    send: async (values) => {
      const answer = await call('sessions.create', values)
      setOver(null)
      if (answer.object === 'pending_sign_in') return setPending(answer)
      queries.setQueryData(sessionQuery.queryKey, answer)
      onSignedIn?.()
    },
  })
  function startAgain(error?: unknown): void {
    form.set({ password: '' })
    setPending(null)
    setOver(error === undefined ? null : failureOf(error))
  }
  if (pending !== null) return <SecondStep pending={pending} onSignedIn={onSignedIn} onOver={startAgain} />
  return (
    <>
      {over && <FailureNotice failure={over} />}
      <Form form={form} submit="Sign in">
        <TextField {...form.field('email')} label="E-mail" type="email" autoComplete="username" />
        <TextField {...form.field('password')} label="Password" type="password" autoComplete="current-password" />
      </Form>
    </>
  )
}
