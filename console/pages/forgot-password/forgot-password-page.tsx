// Asks for a link to set a new password. Where no e-mail is sent, says who creates one.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { input } from 'virtual:input/accounts.request-reset'
import { useState, type ReactNode } from 'react'
import { call } from '../../app/call.ts'
import { failureOf } from '../../app/failure.ts'
import { signInMethodsQuery } from '../../app/provider-sign-in.ts'
import { Plain } from '../../app/shell.tsx'
import { useForm } from '../../app/use-form.ts'
import { Card } from '../../ui/card.tsx'
import { FailureNotice, Notice } from '../../ui/failure-notice.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Stack } from '../../ui/page.tsx'

export function ForgotPasswordPage(): ReactNode {
  const { data: methods, error, refetch } = useQuery(signInMethodsQuery)
  return (
    <Plain isTinted>
      <Card title="Reset your password" guide="/docs/signing-in">
        <Stack>
          {error !== null && <FailureNotice failure={failureOf(error)} retry={() => void refetch()} />}
          {methods !== undefined &&
            (methods.resetByEmail ? <RequestLink /> : <AskOperator hasPasswords={methods.password} />)}
          <Link to="/sign-in">Back to sign-in</Link>
        </Stack>
      </Card>
    </Plain>
  )
}

function RequestLink(): ReactNode {
  const [sentTo, setSentTo] = useState<string | null>(null)
  const form = useForm({
    initial: { email: '' },
    schema: input,
    isKept: false,
    send: async (values) => {
      await call('accounts.request-reset', values)
      setSentTo(values.email)
    },
  })
  if (sentTo !== null)
    return (
      <Notice tone="good" title="Check your e-mail">
        <p>
          If {sentTo} belongs to an account, we sent a link to set a new password. The link expires in one hour. Check
          your spam folder too.
        </p>
      </Notice>
    )
  return (
    <>
      <p>Enter the e-mail address of your account. You get a link to set a new password.</p>
      <Form form={form} submit="Send link">
        <TextField {...form.field('email')} label="E-mail" type="email" autoComplete="username" />
      </Form>
    </>
  )
}

const AskOperator = ({ hasPasswords }: { readonly hasPasswords: boolean }): ReactNode =>
  hasPasswords ? (
    <Notice tone="info" title="Ask the operator for a link">
      <p>
        This installation does not send e-mail. Its operator can create a link to set a new password for you. If you do
        not know the operator, ask an owner of your workspace.
      </p>
    </Notice>
  ) : (
    <Notice tone="info" title="Accounts here have no password">
      <p>Sign in with your sign-in provider, and reset the password there.</p>
    </Notice>
  )
