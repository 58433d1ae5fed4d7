import { useQuery, useQueryClient } from '@tanstack/react-query'
import { input } from 'virtual:input/account.update'
import { useState, type ReactNode } from 'react'
import { call } from '../../app/call.ts'
import { failureOf } from '../../app/failure.ts'
import { signInMethodsQuery } from '../../app/provider-sign-in.ts'
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
      announce(pendingEmail === null ? 'Account saved' : 'Account saved. The new e-mail address needs confirmation')
    },
  })
  return (
    <Section title="Profile" about="You sign in with your e-mail address.">
      {account.pendingEmail !== null && <WaitingEmail {...account.pendingEmail} />}
      <Form form={form} submit="Save">
        <TextField {...form.field('name')} label="Name" autoComplete="name" />
        <TextField {...form.field('email')} label="E-mail" type="email" autoComplete="username" />
      </Form>
    </Section>
  )
}

/** `email` counts once its link is used, or another owner, the operator or the sign-in provider has confirmed it. */
function WaitingEmail({ email, expiresAt }: NonNullable<CurrentSession['account']['pendingEmail']>): ReactNode {
  const { account } = useSession()
  const queries = useQueryClient()
  const [isBusy, setBusy] = useState(false)
  const isLinkSent = useQuery(signInMethodsQuery).data?.sendsEmail === true
  async function withdraw(): Promise<void> {
    setBusy(true)
    try {
      await call('account.update', { email: account.email })
      announce('E-mail address change cancelled')
    } catch (error) {
      announce(failureOf(error).detail, 'bad')
    }
    await queries.invalidateQueries({ queryKey: sessionQuery.queryKey })
    setBusy(false)
  }
  return (
    <Notice tone="info" title={`${email} needs confirmation`}>
      <p>
        Until then, sign in with {account.email}. {isLinkSent ? linkSent : askOthers} The request expires{' '}
        <RelativeTime at={expiresAt} />.
      </p>
      <Row>
        <Button size="small" isBusy={isBusy} onClick={() => void withdraw()}>
          Cancel change
        </Button>
      </Row>
    </Notice>
  )
}

const linkSent = 'We sent a link to the new address. Open it to confirm.'
const askOthers =
  'Ask another owner of one of your workspaces to confirm the new e-mail address on the Members page, or ask the operator.'
