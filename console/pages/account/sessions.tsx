// The sessions of the account. Each session except the current one can be ended.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { answerState } from '../../app/answer-state.ts'
import { call } from '../../app/call.ts'
import { failureOf } from '../../app/failure.ts'
import { announce } from '../../ui/announcements.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { DataTable, type Column } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Section } from '../../ui/page.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { browserOf } from './browser-of.ts'

type Session = Awaited<ReturnType<typeof listSessions>>['data'][number]
const listSessions = () => call('sessions.list', {})
const queryKey = ['sessions.list']

export function Sessions(): ReactNode {
  const queries = useQueryClient()
  const query = useQuery({ queryKey, queryFn: listSessions })
  async function end({ id }: Session): Promise<void> {
    try {
      await call('sessions.revoke', { id })
      announce('Session ended')
    } catch (error) {
      announce(failureOf(error).detail, 'bad')
    }
    await queries.invalidateQueries({ queryKey })
  }
  return (
    <Section title="Active sessions">
      <DataTable
        label="Sessions"
        columns={columns(end)}
        state={answerState(query, ({ data }) => data)}
        idOf={({ id }) => id}
        empty={<EmptyState icon="members" title="No sessions" text="You have no other sessions." />}
      />
    </Section>
  )
}

const methodWords: Readonly<Record<NonNullable<Session['signInMethod']>, string>> = {
  password: 'Password',
  password_and_authenticator: 'Password and authenticator app',
  password_and_recovery_code: 'Password and recovery code',
  passkey: 'Passkey',
  provider: 'Single sign-on',
  link: 'Link',
}
const signInWords = (method: Session['signInMethod']): string => (method === null ? 'Unknown' : methodWords[method])

const columns = (end: (session: Session) => Promise<void>): Column<Session>[] => [
  { head: 'Browser', cell: ({ userAgent }) => browserOf(userAgent) },
  { head: 'Signed in with', cell: ({ signInMethod }) => signInWords(signInMethod), isSecondary: true },
  { head: 'IP address', cell: ({ ip }) => ip ?? 'Unknown', isSecondary: true },
  { head: 'Last active', cell: ({ lastUsedAt }) => <RelativeTime at={lastUsedAt} /> },
  {
    head: 'Session',
    align: 'end',
    cell: (session) =>
      session.current ? (
        <Badge tone="good">Current session</Badge>
      ) : (
        <Button size="small" onClick={() => void end(session)}>
          End session
        </Button>
      ),
  },
]
