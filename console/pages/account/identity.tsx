import { useQueryClient } from '@tanstack/react-query'
import { input } from 'virtual:input/account.update'
import { useState, type ReactNode } from 'react'
import { call } from '../../app/call.ts'
import { failureOf } from '../../app/failure.ts'
import { sessionQuery, useSession, type CurrentSession } from '../../app/session.ts'
import { useForm } from '../../app/use-form.ts'
import { announce } from '../../ui/announcements.tsx'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/failure-notice.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Row, Section } from '../../ui/page.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'

export function Identity(): ReactNode {
  const { account } = useSession()
  const queries = useQueryClient()
  const form = useForm({
    initial: { name: account.name, email: account.email },
    schema: input,
    send: async (values) => {
      const { pendingEmail } = await call('account.update', values)
      form.set({ email: account.email })
      await queries.invalidateQueries({ queryKey: sessionQuery.queryKey })
      announce(pendingEmail === null ? 'Saved your account' : 'Saved. The new e-mail waits to be confirmed')
    },
  })
  return (
    <Section title="Who you are" about="The e-mail is what you sign in with.">
      {account.pendingEmail !== null && <WaitingEmail {...account.pendingEmail} />}
      <Form form={form} submit="Save">
        <TextField {...form.field('name')} label="Name" autoComplete="name" />
        <TextField {...form.field('email')} label="E-mail" type="email" autoComplete="username" />
      </Form>
    </Section>
  )
}

/** `email` counts once another owner, the operator or the sign-in provider has confirmed it. */
function WaitingEmail({ email, expiresAt }: NonNullable<CurrentSession['account']['pendingEmail']>): ReactNode {
  const { account } = useSession()
  const queries = useQueryClient()
  const [isBusy, setBusy] = useState(false)
  async function withdraw(): Promise<void> {
    setBusy(true)
    try {
      await call('account.update', { email: account.email })
      announce('Withdrew the new e-mail')
    } catch (error) {
      announce(failureOf(error).detail, 'bad')
    }
    await queries.invalidateQueries({ queryKey: sessionQuery.queryKey })
    setBusy(false)
  }
  return (
    <Notice tone="info" title={`${email} waits to be confirmed`}>
      <p>
        You sign in with {account.email} until another owner of a workspace of yours, on its page Members, or the
        operator confirms the new one. It lapses <RelativeTime at={expiresAt} />.
      </p>
      <Row>
        <Button size="small" isBusy={isBusy} onClick={() => void withdraw()}>
          Withdraw it
        </Button>
      </Row>
    </Notice>
  )
}
