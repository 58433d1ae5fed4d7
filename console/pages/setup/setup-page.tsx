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

export function SetupPage(): ReactNode {
  const setup = useQuery({ queryKey: ['setup.get'], queryFn: () => call('setup.get', {}), retry: false })
  return <Plain isTinted>{setup.isPending ? null : content(setup.data, setup.error, () => void setup.refetch())}</Plain>
}

function content(setup: { readonly hasWorkspace: boolean } | undefined, error: unknown, retry: () => void): ReactNode {
  if (setup !== undefined) return <FirstAccount hasWorkspace={setup.hasWorkspace} />
  if (codeOf(error) === 'not_found') return <Done />
  return (
    <Card title="Set up">
      <FailureNotice failure={failureOf(error)} retry={retry} />
    </Card>
  )
}

const Done = (): ReactNode => (
  <Card title="Setup is complete" about="The first account exists, so the setup link no longer works.">
    <Link to="/sign-in" className={buttonClass({ variant: 'primary' })}>
      Sign in
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
    <Card
      title="Create the owner account"
      guide="/docs/signing-in"
      about="The owner has full access and can invite members."
    >
      <Form form={form} submit="Create account">
        <TextField
          {...form.field('token')}
          label="Setup token"
          hint="The token is part of the setup link, which the server prints to its log at startup."
          autoComplete="off"
        />
        <TextField {...form.field('name')} label="Your name" autoComplete="name" />
        <TextField {...form.field('email')} label="E-mail" type="email" autoComplete="username" />
        <NewPasswordField {...form.field('password')} label="Password" />
        {!hasWorkspace && <TextField {...form.field('workspaceName')} label="Workspace name" isOptional />}
      </Form>
    </Card>
  )
}
