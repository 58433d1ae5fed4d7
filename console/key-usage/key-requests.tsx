// The last requests of a key. Never a query, a body or an answer: those are not kept.
import { useState, type ReactNode } from 'react'
import type { AnsweredRequest } from '#contract/usage.ts'
import { answerState, shortened } from '../app/answer-state.ts'
import { useAnswer } from '../app/workspace.ts'
import { milliseconds } from '../charts/scale.ts'
import { Badge, Tag } from '../ui/badge.tsx'
import { CopyLine } from '../ui/code-block.tsx'
import { DataTable, type Column } from '../ui/data-table.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Stack } from '../ui/page.tsx'
import { RelativeTime } from '../ui/relative-time.tsx'
import { statusTone } from '../usage/status-tone.ts'
import { texts } from './texts.ts'

const refreshEveryMs = 15_000
const shownAtFirst = 20

export function KeyRequests({ keyId }: { readonly keyId: string }): ReactNode {
  const [isWhole, setWhole] = useState(false)
  const requests = useAnswer('api-keys.requests', { id: keyId }, { refetchInterval: refreshEveryMs })
  const state = answerState(requests, ({ data }) => data)
  return (
    <Stack>
      <p>{texts.theLatest100RequestsWithout}</p>
      <DataTable
        label={texts.recentRequests}
        state={isWhole ? state : shortened(state, shownAtFirst, () => setWhole(true))}
        idOf={({ at, requestId }) => `${at} ${requestId}`}
        columns={columns}
        empty={<EmptyState icon="activity" title={texts.noRequestsYet} text={texts.eachRequestIsListedHere} />}
      />
    </Stack>
  )
}

const columns: readonly Column<AnsweredRequest>[] = [
  { head: texts.time, cell: ({ at }) => <RelativeTime at={at} /> },
  {
    head: texts.request,
    cell: ({ method, path, surface, operation }) => (
      <code>{surface === 'mcp' ? texts.mcp(operation) : `${method} ${path}`}</code>
    ),
  },
  { head: texts.status, cell: ({ status }) => <Badge tone={statusTone(status)}>{status}</Badge> },
  { head: texts.duration, cell: ({ ms }) => milliseconds(ms), align: 'end' },
  { head: texts.ipAddress, cell: ({ ip }) => (ip === null ? '–' : <Tag>{ip}</Tag>), isSecondary: true },
  {
    head: texts.requestId,
    cell: ({ requestId }) => <CopyLine text={requestId} what={texts.requestIdCopied} />,
    isSecondary: true,
  },
]
