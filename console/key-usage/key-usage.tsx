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
import { texts } from './texts.ts'

export function KeyUsage({ keyId, isUsable }: { readonly keyId: string; readonly isUsable: boolean }): ReactNode {
  const [by, setBy] = useState<By>('day')
  const usage = useAnswer('api-keys.usage', { id: keyId, by })
  const state = answerState(usage, (answer) => answer.operations)
  return (
    <Section
      title={texts.usage}
      about={texts.allRequestsIncludingDeniedOnes}
      actions={<SpanChoice by={by} onBy={setBy} />}
    >
      <Stack>
        {usage.data !== undefined && usage.data.total.requests > 0 && (
          <UsageCharts periods={usage.data.periods} by={by} shown={statuses} latency={texts.timeToFirstByte} />
        )}
        {usage.isPending && <LoadingCharts />}
        <DataTable
          label={texts.mostUsedOperations}
          state={state}
          idOf={({ surface, operation }) => `${surface} ${operation}`}
          columns={operationColumns}
          empty={
            <EmptyState
              icon="activity"
              title={texts.noRequestsInThisPeriod}
              text={isUsable ? texts.requestsByStatusLatencyAnd : texts.theKeyIsNotActive}
              sample={isUsable ? <code>{texts.firstRequest(location.origin)}</code> : undefined}
            />
          }
        />
      </Stack>
    </Section>
  )
}

const operationColumns: readonly Column<OperationUse>[] = [
  { head: texts.operation, cell: ({ operation }) => <code>{operation}</code> },
  { head: texts.surface, cell: ({ surface }) => <Tag>{surface === 'mcp' ? 'MCP' : 'HTTP'}</Tag>, isSecondary: true },
  { head: texts.requests, cell: ({ requests }) => fullCount(requests), align: 'end' },
  { head: texts.failed, cell: ({ failed }) => fullCount(failed), align: 'end' },
]
