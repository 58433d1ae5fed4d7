// The second step of a sign-in: a code of the authenticator app, a passkey, or a recovery code.
import { useQueryClient } from '@tanstack/react-query'
import { input } from 'virtual:input/sessions.complete-with-code'
import { useState, type ReactNode } from 'react'
import type { Output } from '#contract/operation.ts'
import type { OperationNamed } from '#contract/api.ts'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { Row } from '../ui/page.tsx'
import { call, codeOf } from './call.ts'
import { PasskeyButton } from './passkey-button.tsx'
import { signInWithPasskey } from './passkeys.ts'
import { sessionQuery } from './session.ts'
import { useForm } from './use-form.ts'

export type PendingSignIn = Extract<Output<OperationNamed<'sessions.create'>>, { object: 'pending_sign_in' }>

type Props = {
  readonly pending: PendingSignIn
  readonly onSignedIn?: (() => void) | undefined
  /** The sign-in starts again with the password. */
  readonly onOver: (error?: unknown) => void
}

export function SecondStep({ pending, onSignedIn, onOver }: Props): ReactNode {
  const queries = useQueryClient()
  const [isRecovery, setRecovery] = useState(false)
  const form = useForm({
    initial: { signIn: pending.signIn, code: '' },
    schema: input,
    isKept: false,
    send: async (values) => {
      try {
        queries.setQueryData(sessionQuery.queryKey, await call('sessions.complete-with-code', values))
      } catch (error) {
        if (codeOf(error) !== 'sign_in_expired') throw error
        onOver(error)
        return
      }
      onSignedIn?.()
    },
  })
  const has = (factor: PendingSignIn['secondFactors'][number]): boolean => pending.secondFactors.includes(factor)
  const isTyped = isRecovery || has('authenticator')
  return (
    <>
      <p>
        Two-factor authentication is on for this account.{' '}
        {isRecovery
          ? 'Enter one of your recovery codes. Each code works once.'
          : isTyped
            ? 'Enter the code that your authenticator app shows.'
            : 'Use your passkey.'}
      </p>
      {isTyped && (
        <Form form={form} submit="Verify" onCancel={() => onOver()}>
          <CodeField key={String(isRecovery)} isRecovery={isRecovery} {...form.field('code')} />
        </Form>
      )}
      {has('passkey') && (
        <PasskeyButton
          label="Use a passkey"
          isPrimary={!isTyped}
          act={signInWithPasskey}
          onDone={(session) => {
            queries.setQueryData(sessionQuery.queryKey, session)
            onSignedIn?.()
          }}
        />
      )}
      {has('recovery_code') && (
        <OtherWay
          isRecovery={isRecovery}
          hasApp={has('authenticator')}
          onClick={() => {
            form.set({ code: '' })
            setRecovery(!isRecovery)
          }}
        />
      )}
    </>
  )
}

/** To a recovery code and back. */
const OtherWay = ({
  isRecovery,
  hasApp,
  onClick,
}: {
  readonly isRecovery: boolean
  readonly hasApp: boolean
  onClick(): void
}): ReactNode => (
  <Row>
    <Button size="small" onClick={onClick}>
      {!isRecovery ? 'Use a recovery code' : hasApp ? 'Use the authenticator app' : 'Do not use a recovery code'}
    </Button>
  </Row>
)

export const CodeField = ({
  isRecovery = false,
  isFocused = true,
  ...field
}: {
  readonly isRecovery?: boolean
  readonly isFocused?: boolean
  readonly hint?: string
  readonly value: string
  readonly mistake: string | undefined
  onValue(value: string): void
}): ReactNode => (
  <TextField
    {...field}
    label={isRecovery ? 'Recovery code' : 'Authentication code'}
    autoComplete="one-time-code"
    autoCapitalize="off"
    spellCheck={false}
    {...(!isRecovery && { inputMode: 'numeric' as const })}
    // The step before has led here to type it.
    // oxlint-disable-next-line jsx-a11y/no-autofocus
    autoFocus={isFocused}
  />
)
