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
import { texts } from './texts.ts'

type Session = Awaited<ReturnType<typeof listSessions>>['data'][number]
const listSessions = () => call('sessions.list', {})
const queryKey = ['sessions.list']

export function Sessions(): ReactNode {
  const queries = useQueryClient()
  const query = useQuery({ queryKey, queryFn: listSessions })
  async function end({ id }: Session): Promise<void> {
    try {
      await call('sessions.revoke', { id })
      announce(texts.sessionEnded)
    } catch (error) {
      announce(failureOf(error).detail, 'bad')
    }
    await queries.invalidateQueries({ queryKey })
  }
  return (
    <Section title={texts.activeSessions}>
      <DataTable
        label={texts.sessions}
        columns={columns(end)}
        state={answerState(query, ({ data }) => data)}
        idOf={({ id }) => id}
        empty={<EmptyState icon="members" title={texts.noSessions} text={texts.youHaveNoOtherSessions} />}
      />
    </Section>
  )
}

const methodWords: Readonly<Record<NonNullable<Session['signInMethod']>, string>> = {
  password: texts.password,
  password_and_authenticator: texts.passwordAndAuthenticatorApp,
  password_and_recovery_code: texts.passwordAndRecoveryCode,
  passkey: texts.passkey,
  provider: texts.singleSignOn,
  link: texts.link,
}
const signInWords = (method: Session['signInMethod']): string => (method === null ? texts.unknown : methodWords[method])

const columns = (end: (session: Session) => Promise<void>): Column<Session>[] => [
  { head: texts.browser, cell: ({ userAgent }) => browserOf(userAgent) },
  { head: texts.signedInWith, cell: ({ signInMethod }) => signInWords(signInMethod), isSecondary: true },
  { head: texts.ipAddress, cell: ({ ip }) => ip ?? texts.unknown, isSecondary: true },
  { head: texts.lastActive, cell: ({ lastUsedAt }) => <RelativeTime at={lastUsedAt} /> },
  {
    head: texts.session,
    align: 'end',
    cell: (session) =>
      session.current ? (
        <Badge tone="good">{texts.currentSession}</Badge>
      ) : (
        <Button size="small" onClick={() => void end(session)}>
          {texts.endSession}
        </Button>
      ),
  },
]
