// The webhooks of the workspace: where each sends what, and how that goes.
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Webhook } from '#contract/webhook-schema.ts'
import { useFilters } from '../../app/filters.ts'
import { NewLink } from '../../app/new-link.tsx'
import { isFailing, nextAttemptLine, stateOf, webhookStates } from '../../webhook-health/health-words.ts'
import { healthEveryMs } from '../../webhook-health/health-notice.tsx'
import { useList, useWorkspace } from '../../app/workspace.ts'
import { latencyText } from '../../charts/scale.ts'
import { shareText } from '../../charts/share-text.ts'
import { Badge, Tag } from '../../ui/badge.tsx'
import { DataTable, type Column } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { FilterBar, FilterSelect } from '../../ui/filter-bar.tsx'
import { Page } from '../../ui/page.tsx'
import { Author } from './access.tsx'
import { DayBar } from './day-bar.tsx'
import css from './webhooks.module.css'

type WebhookSearch = {
  readonly status?: Webhook['status'] | undefined
  readonly health?: Webhook['health']['state'] | undefined
}

export function WebhooksPage(): ReactNode {
  const workspace = useWorkspace()
  const { values, set, clear, isFiltered } = useFilters<WebhookSearch>()
  const { status, health } = values
  const asked = { ...(status && { status: [status] }), ...(health && { health }) }
  const state = useList('webhooks.list', asked, isFiltered, { againMs: () => healthEveryMs })
  const create = workspace.may('webhooks:write') && <NewLink to="/w/$workspaceId/webhooks/new">Create webhook</NewLink>
  return (
    <Page
      title="Webhooks"
      guide="/docs/webhooks"
      about="Webhooks send signed events to your endpoints as they happen."
      actions={create}
    >
      <FilterBar isFiltered={isFiltered} onClear={clear}>
        <FilterSelect
          label="Status"
          all="Any status"
          value={status}
          choices={states.map((value) => ({ value, label: webhookStates[value].label }))}
          onValue={(chosen) => set({ status: chosen })}
        />
        <FilterSelect
          label="Health"
          all="Healthy and failing"
          value={health}
          choices={healths}
          onValue={(chosen) => set({ health: chosen })}
        />
      </FilterBar>
      <DataTable
        label="Webhooks, newest first"
        state={state}
        idOf={({ id }) => id}
        columns={columns(workspace.id)}
        onClearFilter={clear}
        empty={
          <EmptyState
            icon="webhook"
            title="No webhooks yet"
            text="A webhook sends the events that you choose to your endpoint, so you do not have to poll the API."
            action={create}
            sample={<code>tasks.created → https://hooks.acme.example/workspace</code>}
          />
        }
      />
    </Page>
  )
}

// The names are those of the record.
const states = Object.keys(webhookStates) as Webhook['status'][]

const healths = [
  { value: 'healthy', label: 'Healthy' },
  { value: 'failing', label: 'Failing' },
] as const

const shownMax = 3

const columns = (workspaceId: string): readonly Column<Webhook>[] => [
  {
    head: 'Webhook',
    cell: ({ id, name, url }) => (
      <span className={css.named}>
        <Link to="/w/$workspaceId/webhooks/$id" params={{ workspaceId, id }}>
          {name}
        </Link>
        <span className={css.listedUrl} title={url}>
          {url}
        </span>
      </span>
    ),
  },
  {
    head: 'Status',
    cell: (webhook) => (
      <span className={css.named}>
        <Badge tone={stateOf(webhook).tone}>{stateOf(webhook).label}</Badge>
        {isFailing(webhook) && <span className={css.soft}>{nextAttemptLine(webhook).split('. ')[0]}</span>}
      </span>
    ),
  },
  {
    head: 'Event types',
    isSecondary: true,
    cell: ({ eventTypes }) => (
      <span className={css.tags}>
        {eventTypes.slice(0, shownMax).map((pattern) => (
          <Tag key={pattern}>{pattern}</Tag>
        ))}
        {eventTypes.length > shownMax && <span className={css.soft}>and {eventTypes.length - shownMax} more</span>}
      </span>
    ),
  },
  { head: 'Created by', isSecondary: true, cell: ({ createdBy }) => <Author {...createdBy} /> },
  {
    head: 'Last 24 hours',
    cell: ({ stats24h, health: { failedShare, state } }) => (
      <span className={css.named}>
        <DayBar stats={stats24h} />
        {failedShare !== null && state === 'failing' && (
          <span className={css.soft}>{shareText(failedShare, 1)} failed or not delivered yet</span>
        )}
      </span>
    ),
  },
  { head: 'p95', align: 'end', isSecondary: true, cell: ({ stats24h }) => latencyText(stats24h.p95Ms) },
]
