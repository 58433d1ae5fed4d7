// How a key was used: requests by status, latency, and the operations that it asks for most. Part of the key's own page.
import { useState, type ReactNode } from 'react'
import type { ApiKeyUsage, OperationUse } from '#contract/api-key-usage.ts'
import { useAnswer } from '../app/workspace.ts'
import type { Series } from '../charts/chart.ts'
import { Lines } from '../charts/lines.tsx'
import { compactCount, fullCount, milliseconds } from '../charts/scale.ts'
import { StackedBars } from '../charts/stacked-bars.tsx'
import { Tag } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { DataTable, type Column } from '../ui/data-table.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Row, Section, Stack } from '../ui/page.tsx'
import { answerState } from './answer-state.ts'
import { LoadingCharts } from './loading-charts.tsx'
import { periodName } from './period-name.ts'

type By = 'hour' | 'day'
const spans: readonly { readonly by: By; readonly label: string }[] = [
  { by: 'day', label: '30 days' },
  { by: 'hour', label: '48 hours' },
]

export function KeyUsage({ keyId }: { readonly keyId: string }): ReactNode {
  const [by, setBy] = useState<By>('day')
  const usage = useAnswer('api-keys.usage', { id: keyId, by })
  const state = answerState(usage, (answer) => answer.operations)
  return (
    <Section
      title="Usage"
      about="Requests that were answered, refused ones included. The newest are a minute late."
      actions={
        <Row>
          {spans.map((span) => (
            <Button
              key={span.by}
              size="small"
              variant={span.by === by ? 'secondary' : 'quiet'}
              aria-pressed={span.by === by}
              onClick={() => setBy(span.by)}
            >
              {span.label}
            </Button>
          ))}
        </Row>
      }
    >
      <Stack>
        {usage.data !== undefined && usage.data.total.requests > 0 && <Charts usage={usage.data} by={by} />}
        {usage.isPending && <LoadingCharts />}
        <DataTable
          label="Operations that were asked for most"
          state={state}
          idOf={({ surface, operation }) => `${surface} ${operation}`}
          columns={operationColumns}
          empty={
            <EmptyState
              icon="activity"
              title="No requests in this time"
              text="Counts by status, latency and operation show up here within a minute of the first call."
              sample={<code>{`curl ${location.origin}/api/v1/me -H "Authorization: Bearer $API_KEY"`}</code>}
            />
          }
        />
      </Stack>
    </Section>
  )
}

function Charts({ usage: { periods }, by }: { readonly usage: ApiKeyUsage; readonly by: By }): ReactNode {
  const columns = periods.map(({ from }) => periodName(from, by))
  return (
    <>
      <StackedBars
        title={`Requests by ${by}`}
        columns={columns}
        series={statuses.map(({ name, tone, is }): Series => ({
          name,
          tone,
          values: periods.map((period) => period[is]),
        }))}
        format={compactCount}
      />
      <Lines
        title="Latency until the head of the answer"
        columns={columns}
        series={[
          { name: 'p95', tone: 'second', values: periods.map(({ p95Ms }) => p95Ms) },
          { name: 'p50', tone: 'first', values: periods.map(({ p50Ms }) => p50Ms) },
        ]}
        format={milliseconds}
      />
    </>
  )
}

const statuses = [
  { name: '2xx', tone: 'good', is: 'status2xx' },
  { name: '3xx', tone: 'calm', is: 'status3xx' },
  { name: '4xx', tone: 'warn', is: 'status4xx' },
  { name: '429', tone: 'limit', is: 'status429' },
  { name: '5xx', tone: 'bad', is: 'status5xx' },
] as const

const operationColumns: readonly Column<OperationUse>[] = [
  { head: 'Operation', cell: ({ operation }) => <code>{operation}</code> },
  { head: 'Surface', cell: ({ surface }) => <Tag>{surface === 'mcp' ? 'MCP' : 'HTTP'}</Tag>, isSecondary: true },
  { head: 'Requests', cell: ({ requests }) => fullCount(requests), align: 'end' },
  { head: 'Failed', cell: ({ failed }) => fullCount(failed), align: 'end' },
]
