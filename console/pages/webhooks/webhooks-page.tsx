// The webhooks of the workspace: where each sends what, and how that goes.
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Webhook } from '#contract/webhook-schema.ts'
import { sortingOf, useFilters } from '../../app/filters.ts'
import { NewLink } from '../../app/new-link.tsx'
import { isFailing, nextAttemptLine, stateOf, webhookStates } from '../../webhook-health/health-words.ts'
import { healthEveryMs } from '../../webhook-health/health-notice.tsx'
import { useList, useWorkspace } from '../../app/workspace.ts'
import { latencyText } from '../../charts/scale.ts'
import { shareText } from '../../charts/share-text.ts'
import { Badge } from '../../ui/badge.tsx'
import { classNames } from '../../ui/class-names.ts'
import { DataTable, type Column } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { FilterBar, FilterSelect } from '../../ui/filter-bar.tsx'
import { Page } from '../../ui/page.tsx'
import { Author } from './access.tsx'
import { DayBar } from './day-bar.tsx'
import { EventTypes } from './event-types.tsx'
import css from './webhooks.module.css'
import { texts } from './texts.tsx'

type WebhookSearch = {
  readonly status?: Webhook['status'] | undefined
  readonly health?: Webhook['health']['state'] | undefined
  readonly sort?: string | undefined
}

export function WebhooksPage(): ReactNode {
  const workspace = useWorkspace()
  const filters = useFilters<WebhookSearch>()
  const { values, set, clear, isFiltered } = filters
  const { status, health } = values
  const asked = { limit: 200, ...(status && { status: [status] }), ...(health && { health }) }
  const state = useList('webhooks.list', asked, isFiltered, { againMs: () => healthEveryMs })
  const create = workspace.may('webhooks:write') && (
    <NewLink to="/w/$workspaceId/webhooks/new">{texts.createWebhook}</NewLink>
  )
  return (
    <Page
      title={texts.webhooks}
      guide="/docs/webhooks"
      about={texts.webhooksSendSignedEventsTo}
      actions={state.kind !== 'empty' && create}
    >
      <FilterBar isFiltered={isFiltered} onClear={clear}>
        <FilterSelect
          label={texts.status}
          all={texts.anyStatus}
          value={status}
          choices={states.map((value) => ({ value, label: webhookStates[value].label }))}
          onValue={(chosen) => set({ status: chosen })}
        />
        <FilterSelect
          label={texts.health}
          all={texts.anyHealth}
          value={health}
          choices={healths}
          onValue={(chosen) => set({ health: chosen })}
        />
      </FilterBar>
      <DataTable
        label={texts.webhooksNewestFirst}
        state={state}
        idOf={({ id }) => id}
        columns={columns(workspace.id)}
        // Rows that are not here cannot be put in order.
        {...(state.kind === 'rows' && state.more === null && { sorting: sortingOf(filters) })}
        isCounted
        onClearFilter={clear}
        empty={
          <EmptyState
            icon="webhook"
            title={texts.noWebhooksYet}
            text={texts.aWebhookSendsTheEvents}
            action={create}
            sample={<code>{texts.tasksCreatedHttpsHooksAcme}</code>}
          />
        }
      />
    </Page>
  )
}

// The names are those of the record.
const states = Object.keys(webhookStates) as Webhook['status'][]

const healths = [
  { value: 'healthy', label: texts.healthy },
  { value: 'failing', label: texts.failing },
] as const

const shownMax = 3

const columns = (workspaceId: string): readonly Column<Webhook>[] => [
  {
    head: texts.webhook,
    sort: { name: 'name', value: ({ name }) => name },
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
    head: texts.status,
    sort: { name: 'status', value: (webhook) => stateOf(webhook).label },
    cell: (webhook) => (
      <span className={classNames(css.named, css.state)}>
        <Badge tone={stateOf(webhook).tone}>{stateOf(webhook).label}</Badge>
        {isFailing(webhook) && <span className={css.soft}>{nextAttemptLine(webhook).split('. ')[0]}</span>}
      </span>
    ),
  },
  {
    head: texts.last24Hours,
    isSecondary: true,
    cell: ({ stats24h, health: { failedShare, state } }) => (
      <span className={css.named}>
        <DayBar stats={stats24h} />
        {failedShare !== null && state === 'failing' && (
          <span className={css.soft}>{texts.failedOrNotDeliveredYet(shareText(failedShare, 1))}</span>
        )}
      </span>
    ),
  },
  {
    head: texts.eventTypes,
    isSecondary: true,
    cell: ({ eventTypes }) => <EventTypes patterns={eventTypes} shownMax={shownMax} />,
  },
  { head: texts.createdBy, isSecondary: true, cell: ({ createdBy }) => <Author {...createdBy} /> },
  {
    head: texts.slowDuration,
    align: 'end',
    isSecondary: true,
    sort: { name: 'p95', value: ({ stats24h }) => stats24h.p95Ms, isDescendingFirst: true },
    cell: ({ stats24h }) => latencyText(stats24h.p95Ms),
  },
]
