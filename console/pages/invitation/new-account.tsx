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
import { texts } from './texts.ts'

export function NewAccount(shown: Shown): ReactNode {
  const { workspaceName, name, email } = shown.invitation
  /** The email of an account that there is already; null: a new account is made. */
  const [known, setKnown] = useState<string | null>(null)
  const takesPasswords = useQuery(signInMethodsQuery).data?.password !== false
  return (
    <Card title={texts.join(workspaceName)} guide="/docs/signing-in" about={texts.thisInvitationIsFor(name)}>
      <RoleNotice invitation={shown.invitation} />
      {takesPasswords && known === null && <AccountForm {...shown} onKnown={setKnown} />}
      {takesPasswords && known !== null && (
        <>
          <Notice tone="info" title={texts.signInToAcceptThe}>
            <p>{texts.yourAccountAlreadyExistsIt}</p>
          </Notice>
          <SignInForm email={known} />
        </>
      )}
      <Row>
        {takesPasswords && (
          <Button size="small" onClick={() => setKnown(known === null ? email : null)}>
            {known === null ? texts.iAlreadyHaveAnAccount : texts.createAnAccount}
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
        // There is an account with this email.
        if (codeOf(error) === 'duplicate') return onKnown(values.email)
        throw error
      }
    },
  })
  return (
    <Form form={form} submit={texts.createAccountAndJoin}>
      <TextField {...form.field('name')} label={texts.yourName} autoComplete="name" />
      <TextField
        {...form.field('email')}
        label={texts.email}
        type="email"
        autoComplete="username"
        hint={texts.youWillSignInWith}
        readOnly
      />
      <NewPasswordField {...form.field('password')} label={texts.password} />
    </Form>
  )
}
