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
import { texts } from './texts.tsx'

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
        {texts.twoFactorAuthenticationIsOn}
        {isRecovery ? texts.enterOneOfYourRecovery : isTyped ? texts.enterTheCodeThatYour : texts.passkeyNeeded}
      </p>
      {isTyped && (
        <Form form={form} submit={texts.verify} onCancel={() => onOver()}>
          <CodeField key={String(isRecovery)} isRecovery={isRecovery} {...form.field('code')} />
        </Form>
      )}
      {has('passkey') && (
        <PasskeyButton
          label={texts.passkeyInstead}
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
      {!isTyped && (
        <Row>
          <Button onClick={() => onOver()}>{texts.cancel}</Button>
        </Row>
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
    <Button onClick={onClick}>
      {!isRecovery ? texts.recoveryCodeInstead : hasApp ? texts.authenticatorInstead : texts.anotherMethodInstead}
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
    label={isRecovery ? texts.recoveryCode : texts.authenticationCode}
    autoComplete="one-time-code"
    autoCapitalize="off"
    spellCheck={false}
    {...(!isRecovery && { inputMode: 'numeric' as const })}
    // The step before has led here to type it.
    // oxlint-disable-next-line jsx-a11y/no-autofocus
    autoFocus={isFocused}
  />
)
