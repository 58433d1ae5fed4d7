// Signs in with the email address and password of an existing account, and its second factor if it has one.
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
import { texts } from './texts.tsx'

export function SignInForm({
  email = '',
  onSignedIn,
  onPending,
}: {
  readonly email?: string
  readonly onSignedIn?: () => void
  /** Whether the second step is shown. */
  readonly onPending?: (isPending: boolean) => void
}): ReactNode {
  const queries = useQueryClient()
  const [pending, setPendingStep] = useState<PendingSignIn | null>(null)
  const [over, setOver] = useState<Failure | null>(null)
  function setPending(step: PendingSignIn | null): void {
    setPendingStep(step)
    onPending?.(step !== null)
  }
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
      <Form form={form} submit={texts.signIn}>
        <TextField {...form.field('email')} label={texts.email} type="email" autoComplete="username" />
        <TextField {...form.field('password')} label={texts.password} type="password" autoComplete="current-password" />
      </Form>
    </>
  )
}
