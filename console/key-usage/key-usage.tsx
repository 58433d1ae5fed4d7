// How a key was used: requests by status, latency, and the operations that it asks for most. Part of the key's own
// page.
import { useState, type ReactNode } from 'react'
import type { OperationUse } from '#contract/usage.ts'
import { answerState } from '../app/answer-state.ts'
import { useAnswer } from '../app/workspace.ts'
import { fullCount } from '../charts/scale.ts'
import { Tag } from '../ui/badge.tsx'
import { DataTable, type Column } from '../ui/data-table.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Section, Stack } from '../ui/page.tsx'
import { LoadingCharts, statuses, UsageCharts } from '../usage/usage-charts.tsx'
import { SpanChoice, type By } from '../usage/span-choice.tsx'

export function KeyUsage({ keyId }: { readonly keyId: string }): ReactNode {
  const [by, setBy] = useState<By>('day')
  const usage = useAnswer('api-keys.usage', { id: keyId, by })
  const state = answerState(usage, (answer) => answer.operations)
  return (
    <Section
      title="Usage"
      about="All requests, including denied ones. Delayed by up to a minute."
      actions={<SpanChoice by={by} onBy={setBy} />}
    >
      <Stack>
        {usage.data !== undefined && usage.data.total.requests > 0 && (
          <UsageCharts periods={usage.data.periods} by={by} shown={statuses} latency="Time to first byte" />
        )}
        {usage.isPending && <LoadingCharts />}
        <DataTable
          label="Most used operations"
          state={state}
          idOf={({ surface, operation }) => `${surface} ${operation}`}
          columns={operationColumns}
          empty={
            <EmptyState
              icon="activity"
              title="No requests in this period"
              text="Requests by status, latency and operation appear here within a minute of the first request."
              sample={<code>{`curl ${location.origin}/api/v1/me -H "Authorization: Bearer $API_KEY"`}</code>}
            />
          }
        />
      </Stack>
    </Section>
  )
}

const operationColumns: readonly Column<OperationUse>[] = [
  { head: 'Operation', cell: ({ operation }) => <code>{operation}</code> },
  { head: 'Surface', cell: ({ surface }) => <Tag>{surface === 'mcp' ? 'MCP' : 'HTTP'}</Tag>, isSecondary: true },
  { head: 'Requests', cell: ({ requests }) => fullCount(requests), align: 'end' },
  { head: 'Failed', cell: ({ failed }) => fullCount(failed), align: 'end' },
]
