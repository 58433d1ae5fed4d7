// Accepts an invitation without a session: creates an account or signs in with an existing one.
import { input } from 'virtual:input/invitations.accept'
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { codeOf } from '../../app/call.ts'
import { NewPasswordField } from '../../app/new-password-field.tsx'
import { ProviderButton } from '../../app/provider-button.tsx'
import { signInMethodsQuery } from '../../app/provider-sign-in.ts'
import { SignInForm } from '../../app/sign-in-form.tsx'
import { useForm } from '../../app/use-form.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Notice } from '../../ui/failure-notice.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Row } from '../../ui/page.tsx'
import { useAccept, type Shown } from './accept.ts'
import { RoleNotice } from './role-notice.tsx'

export function NewAccount(shown: Shown): ReactNode {
  const { workspaceName, name, email } = shown.invitation
  /** The e-mail of an account that there is already; null: a new account is made. */
  const [known, setKnown] = useState<string | null>(null)
  const takesPasswords = useQuery(signInMethodsQuery).data?.password !== false
  return (
    <Card title={`Join ${workspaceName}`} guide="/docs/signing-in" about={`This invitation is for ${name}.`}>
      <RoleNotice invitation={shown.invitation} />
      {takesPasswords && known === null && <AccountForm {...shown} onKnown={setKnown} />}
      {takesPasswords && known !== null && (
        <>
          <Notice tone="info" title="Sign in to accept the invitation">
            <p>Your account already exists. It will be added to this workspace.</p>
          </Notice>
          <SignInForm email={known} />
        </>
      )}
      <Row>
        {takesPasswords && (
          <Button size="small" onClick={() => setKnown(known === null ? email : null)}>
            {known === null ? 'I already have an account' : 'Create an account'}
          </Button>
        )}
        <ProviderButton way={{ next: '', invitation: shown.token }} />
      </Row>
    </Card>
  )
}

function AccountForm({ token, invitation, onKnown }: Shown & { readonly onKnown: (email: string) => void }): ReactNode {
  const accept = useAccept()
  const form = useForm({
    initial: { name: invitation.name, email: invitation.email, password: '' },
    schema: { ...input, required: ['name', 'email', 'password'] },
    send: async (values) => {
      try {
        await accept({ token, ...values })
      } catch (error) {
        // There is an account with this e-mail.
        if (codeOf(error) === 'duplicate') return onKnown(values.email)
        throw error
      }
    },
  })
  return (
    <Form form={form} submit="Create account and join">
      <TextField {...form.field('name')} label="Your name" autoComplete="name" />
      <TextField
        {...form.field('email')}
        label="E-mail"
        type="email"
        autoComplete="username"
        hint="You will sign in with this e-mail address."
        readOnly
      />
      <NewPasswordField {...form.field('password')} label="Password" />
    </Form>
  )
}
