// Jobs of the workspace: how far each is, what came of it, and a way to end it. They are started with API keys.
import { useState, type ReactNode } from 'react'
import type { Job, JobKind, JobStatus } from '#contract/jobs.ts'
import { failureOf } from '../../app/failure.ts'
import { useFilters } from '../../app/filters.ts'
import { useChange, useList, useWorkspace } from '../../app/workspace.ts'
import { announce } from '../../ui/announcements.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { DataTable, type Column } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { FailureNotice } from '../../ui/failure-notice.tsx'
import { FilterBar, FilterSelect } from '../../ui/filter-bar.tsx'
import { Page } from '../../ui/page.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import css from './jobs.module.css'
import { aboutJob, filesOf, isOpen, kindNames, progressOf, sizeText, statusWords, type JobSearch } from './job-words.ts'

const lookAgainMs = 2_000

export function JobsPage(): ReactNode {
  const { may } = useWorkspace()
  const { values, set, clear, isFiltered } = useFilters<JobSearch>()
  const [cancelled, setCancelled] = useState<Job | null>(null)
  const { kind, status } = values
  const asked = { ...(kind && { kind: [kind] }), ...(status && { status: [status] }) }
  const state = useList('jobs.list', asked, isFiltered, {
    againMs: (rows) => (rows.some(isOpen) ? lookAgainMs : false),
  })
  return (
    <Page
      title="Jobs"
      guide="/docs/jobs"
      about="Exports, imports and bulk changes that were started with API keys. Jobs are kept for 7 days after they finish."
    >
      <FilterBar isFiltered={isFiltered} onClear={clear}>
        <FilterSelect
          label="Kind"
          all="Any kind"
          value={kind}
          choices={kinds.map((value) => ({ value, label: kindNames[value] }))}
          onValue={(chosen) => set({ kind: chosen })}
        />
        <FilterSelect
          label="Status"
          all="Any status"
          value={status}
          choices={statuses.map((value) => ({ value, label: statusWords[value].label }))}
          onValue={(chosen) => set({ status: chosen })}
        />
      </FilterBar>
      <DataTable
        label="Jobs, newest first"
        state={state}
        idOf={({ id }) => id}
        columns={columns(may('jobs:write') ? setCancelled : null)}
        onClearFilter={clear}
        empty={
          <EmptyState
            icon="activity"
            title="No jobs yet"
            text="A job exports, imports, changes or deletes many objects in the background. You start it with an API request."
            sample={<code>{`POST /api/v1/jobs {"kind":"export"}`}</code>}
          />
        }
      />
      <CancelDialog key={cancelled?.id} job={cancelled} onClose={() => setCancelled(null)} />
    </Page>
  )
}

// The names are those of the records.
const kinds = Object.keys(kindNames) as JobKind[]
const statuses = Object.keys(statusWords) as JobStatus[]

const columns = (cancel: ((job: Job) => void) | null): readonly Column<Job>[] => [
  {
    head: 'Job',
    cell: (job) => (
      <span className={css.named}>
        <span className={css.kind}>{kindNames[job.kind]}</span>
        <span className={css.soft}>{aboutJob(job)}</span>
      </span>
    ),
  },
  {
    head: 'Status',
    cell: ({ status, failure }) => (
      <span className={css.named}>
        <Badge tone={statusWords[status].tone}>{statusWords[status].label}</Badge>
        {failure !== null && <span className={css.soft}>{failure.detail}</span>}
      </span>
    ),
  },
  { head: 'Progress', cell: (job) => <Progress job={job} /> },
  { head: 'Files', cell: (job) => <Files job={job} /> },
  { head: 'Started by', isSecondary: true, cell: ({ createdBy }) => createdBy.name },
  { head: 'Started', isSecondary: true, cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
  ...(cancel === null
    ? []
    : [{ head: 'Actions', cell: (job: Job) => isOpen(job) && <Button onClick={() => cancel(job)}>Cancel</Button> }]),
]

const Progress = ({ job }: { readonly job: Job }): ReactNode => (
  <span className={css.named}>
    {isOpen(job) && job.total > 0 && (
      <progress
        className={css.progress}
        max={job.total}
        value={job.done}
        aria-label={`Progress of the ${kindNames[job.kind].toLowerCase()}`}
      />
    )}
    <span className={css.soft}>{progressOf(job)}</span>
  </span>
)

function Files({ job }: { readonly job: Job }): ReactNode {
  const files = filesOf(job)
  if (files.length === 0) return <span className={css.soft}>None</span>
  return (
    <span className={css.named}>
      {files.map(({ label, href, bytes }) => (
        <a key={label} href={href} download>
          {label}, {sizeText(bytes)}
        </a>
      ))}
    </span>
  )
}

function CancelDialog({ job, onClose }: { readonly job: Job | null; readonly onClose: () => void }): ReactNode {
  const change = useChange('jobs.cancel')
  function confirmed(): void {
    if (job === null) return
    change.mutate(
      { id: job.id },
      {
        onSuccess: () => {
          onClose()
          announce('Job cancelled')
        },
      },
    )
  }
  return (
    <ConfirmDialog
      isOpen={job !== null}
      isBusy={change.isPending}
      title="Cancel the job?"
      confirm="Cancel job"
      cancel="Keep running"
      onConfirm={confirmed}
      onClose={onClose}
    >
      <p>Changes that the job has already made are kept. A cancelled job cannot be continued.</p>
      {change.error !== null && <FailureNotice failure={failureOf(change.error)} />}
    </ConfirmDialog>
  )
}
