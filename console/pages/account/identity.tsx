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
import { texts } from './texts.ts'

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
      announce(pendingEmail === null ? texts.accountSaved : texts.accountSavedTheNewEmail)
    },
  })
  return (
    <Section title={texts.profile} about={texts.youSignInWithYour}>
      {account.pendingEmail !== null && <WaitingEmail {...account.pendingEmail} />}
      <Form form={form} submit={texts.save}>
        <TextField {...form.field('name')} label={texts.name} autoComplete="name" />
        <TextField {...form.field('email')} label={texts.email} type="email" autoComplete="username" />
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
      announce(texts.emailAddressChangeCancelled)
    } catch (error) {
      announce(failureOf(error).detail, 'bad')
    }
    await queries.invalidateQueries({ queryKey: sessionQuery.queryKey })
    setBusy(false)
  }
  return (
    <Notice tone="info" title={texts.needsConfirmation(email)}>
      <p>
        {texts.untilThenSignInWith(account.email, isLinkSent ? linkSent : askOthers)}
        <RelativeTime at={expiresAt} />.
      </p>
      <Row>
        <Button size="small" isBusy={isBusy} onClick={() => void withdraw()}>
          {texts.cancelChange}
        </Button>
      </Row>
    </Notice>
  )
}

const linkSent = texts.weSentALinkTo
const askOthers = texts.askAnotherOwnerOfOne
