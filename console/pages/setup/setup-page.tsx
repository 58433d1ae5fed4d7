// Creates the first account by the setup link that is printed at startup. The token is in the link behind `#`, which
// browsers do not send, and is removed from the URL at once.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useRouter } from '@tanstack/react-router'
import { input } from 'virtual:input/setup.complete'
import { useState, type ReactNode } from 'react'
import { call, codeOf } from '../../app/call.ts'
import { failureOf } from '../../app/failure.ts'
import { takeToken } from '../../app/link-token.ts'
import { NewPasswordField } from '../../app/new-password-field.tsx'
import { sessionQuery } from '../../app/session.ts'
import { Plain } from '../../app/shell.tsx'
import { useForm } from '../../app/use-form.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { FailureNotice } from '../../ui/failure-notice.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { texts } from './texts.ts'

export function SetupPage(): ReactNode {
  const setup = useQuery({ queryKey: ['setup.get'], queryFn: () => call('setup.get', {}), retry: false })
  return <Plain isTinted>{setup.isPending ? null : content(setup.data, setup.error, () => void setup.refetch())}</Plain>
}

function content(setup: { readonly hasWorkspace: boolean } | undefined, error: unknown, retry: () => void): ReactNode {
  if (setup !== undefined) return <FirstAccount hasWorkspace={setup.hasWorkspace} />
  if (codeOf(error) === 'not_found') return <Done />
  return (
    <Card title={texts.setUp}>
      <FailureNotice failure={failureOf(error)} retry={retry} />
    </Card>
  )
}

const Done = (): ReactNode => (
  <Card title={texts.setupIsComplete} about={texts.theFirstAccountExistsSo}>
    <Link to="/sign-in" className={buttonClass({ variant: 'primary' })}>
      {texts.signIn}
    </Link>
  </Card>
)

function FirstAccount({ hasWorkspace }: { readonly hasWorkspace: boolean }): ReactNode {
  const [token] = useState(takeToken)
  const queries = useQueryClient()
  const router = useRouter()
  const form = useForm({
    initial: { token, name: '', email: '', password: '', workspaceName: '' },
    schema: input,
    send: async ({ workspaceName, ...values }) => {
      const named = workspaceName.trim() === '' ? {} : { workspaceName }
      queries.setQueryData(sessionQuery.queryKey, await call('setup.complete', { ...values, ...named }))
      router.history.replace('/settings')
    },
  })
  return (
    <Card title={texts.createTheOwnerAccount} guide="/docs/signing-in" about={texts.theOwnerHasFullAccess}>
      <Form form={form} submit={texts.createAccount}>
        {/* A link that holds the token leaves nothing to type. */}
        {(token === '' || form.field('token').mistake !== undefined) && (
          <TextField
            {...form.field('token')}
            label={texts.setupToken}
            hint={texts.theTokenIsPartOf}
            autoComplete="off"
          />
        )}
        <TextField {...form.field('name')} label={texts.yourName} autoComplete="name" />
        <TextField {...form.field('email')} label={texts.email} type="email" autoComplete="username" />
        <NewPasswordField {...form.field('password')} label={texts.password} />
        {!hasWorkspace && <TextField {...form.field('workspaceName')} label={texts.workspaceName} isOptional />}
      </Form>
    </Card>
  )
}
