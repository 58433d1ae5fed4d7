// Asks for a link to set a new password. Where no email is sent, says who creates one.
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
import { texts } from './texts.ts'

export function ForgotPasswordPage(): ReactNode {
  const { data: methods, error, refetch } = useQuery(signInMethodsQuery)
  return (
    <Plain isTinted>
      <Card title={texts.resetYourPassword} guide="/docs/signing-in">
        <Stack>
          {error !== null && <FailureNotice failure={failureOf(error)} retry={() => void refetch()} />}
          {methods !== undefined &&
            (methods.resetByEmail ? <RequestLink /> : <AskOperator hasPasswords={methods.password} />)}
          <Link to="/sign-in">{texts.backToSignIn}</Link>
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
      <Notice tone="good" title={texts.checkYourEmail}>
        <p>{texts.ifBelongsToAnAccount(sentTo)}</p>
      </Notice>
    )
  return (
    <>
      <p>{texts.enterTheEmailAddressOf}</p>
      <Form form={form} submit={texts.sendLink}>
        <TextField {...form.field('email')} label={texts.email} type="email" autoComplete="username" />
      </Form>
    </>
  )
}

const AskOperator = ({ hasPasswords }: { readonly hasPasswords: boolean }): ReactNode =>
  hasPasswords ? (
    <Notice tone="info" title={texts.askTheOperatorForA}>
      <p>{texts.thisInstallationDoesNotSend}</p>
    </Notice>
  ) : (
    <Notice tone="info" title={texts.accountsHereHaveNoPassword}>
      <p>{texts.signInWithYourSign}</p>
    </Notice>
  )
