// The account of whoever is signed in: name and e-mail, password, and where it is signed in.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { input as accountInput } from 'virtual:input/account.update'
import { input as passwordInput } from 'virtual:input/account.change-password'
import type { ReactNode } from 'react'
import { call } from '../../app/call.ts'
import { failureOf } from '../../app/failure.ts'
import { sessionQuery, useSession } from '../../app/session.ts'
import { Plain } from '../../app/shell.tsx'
import { useForm } from '../../app/use-form.ts'
import { announce } from '../../ui/announcements.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { DataTable, type Column } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import type { ListState } from '../../ui/list-state.ts'
import { Page, Section } from '../../ui/page.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { browserOf } from './browser-of.ts'

export const AccountPage = (): ReactNode => (
  <Plain>
    <Page isNarrow title="Account" above={<Link to="/">Back to the workspace</Link>}>
      <Identity />
      <Password />
      <Sessions />
    </Page>
  </Plain>
)

function Identity(): ReactNode {
  const { account } = useSession()
  const queries = useQueryClient()
  const form = useForm({
    initial: { name: account.name, email: account.email },
    schema: accountInput,
    send: async (values) => {
      await call('account.update', values)
      await queries.invalidateQueries({ queryKey: sessionQuery.queryKey })
      announce('Saved your account')
    },
  })
  return (
    <Section title="Who you are" about="The e-mail is what you sign in with.">
      <Form form={form} submit="Save">
        <TextField
          label="Name"
          autoComplete="name"
          value={form.values.name}
          mistake={form.mistakes['name']}
          onValue={(name) => form.set({ name })}
        />
        <TextField
          label="E-mail"
          type="email"
          autoComplete="username"
          value={form.values.email}
          mistake={form.mistakes['email']}
          onValue={(email) => form.set({ email })}
        />
      </Form>
    </Section>
  )
}

const noPasswords = { currentPassword: '', newPassword: '' }

function Password(): ReactNode {
  const queries = useQueryClient()
  const form = useForm({
    initial: noPasswords,
    schema: passwordInput,
    send: async (values) => {
      await call('account.change-password', values)
      form.set(noPasswords)
      await queries.invalidateQueries({ queryKey: ['sessions.list'] })
      announce('Changed your password')
    },
  })
  return (
    <Section title="Password" about="Changing it ends your other sessions.">
      <Form form={form} submit="Change password">
        <TextField
          label="Current password"
          type="password"
          autoComplete="current-password"
          value={form.values.currentPassword}
          mistake={form.mistakes['currentPassword']}
          onValue={(currentPassword) => form.set({ currentPassword })}
        />
        <TextField
          label="New password"
          type="password"
          autoComplete="new-password"
          hint="At least 12 characters, and none of those that are guessed first."
          value={form.values.newPassword}
          mistake={form.mistakes['newPassword']}
          onValue={(newPassword) => form.set({ newPassword })}
        />
      </Form>
    </Section>
  )
}

type Session = Awaited<ReturnType<typeof listSessions>>['data'][number]
const listSessions = () => call('sessions.list', {})

function Sessions(): ReactNode {
  const queries = useQueryClient()
  const query = useQuery({ queryKey: ['sessions.list'], queryFn: listSessions })
  async function end({ id }: Session): Promise<void> {
    try {
      await call('sessions.revoke', { id })
      announce('Ended the session')
    } catch (error) {
      announce(failureOf(error).detail, 'bad')
    }
    await queries.invalidateQueries({ queryKey: ['sessions.list'] })
  }
  return (
    <Section title="Where you are signed in">
      <DataTable
        label="Sessions"
        columns={columns(end)}
        state={stateOf(query.data?.data, query.error, () => void query.refetch())}
        idOf={({ id }) => id}
        empty={<EmptyState icon="members" title="No sessions" text="You are signed in nowhere." />}
      />
    </Section>
  )
}

function stateOf(rows: Session[] | undefined, error: unknown, retry: () => void): ListState<Session> {
  if (rows !== undefined) return { kind: 'rows', rows, more: null }
  return error === null ? { kind: 'loading' } : { kind: 'failed', failure: failureOf(error), retry }
}

const columns = (end: (session: Session) => Promise<void>): Column<Session>[] => [
  { head: 'Browser', cell: ({ userAgent }) => browserOf(userAgent) },
  { head: 'Address', cell: ({ ip }) => ip ?? 'Unknown', isSecondary: true },
  { head: 'Last used', cell: ({ lastUsedAt }) => <RelativeTime at={lastUsedAt} /> },
  {
    head: 'Session',
    align: 'end',
    cell: (session) =>
      session.current ? (
        <Badge tone="good">This one</Badge>
      ) : (
        <Button size="small" onClick={() => void end(session)}>
          End
        </Button>
      ),
  },
]
