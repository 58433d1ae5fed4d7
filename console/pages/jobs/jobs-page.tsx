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
import { texts } from './texts.ts'

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
    <Page title={texts.jobs} guide="/docs/jobs" about={texts.exportsImportsAndBulkChanges}>
      <FilterBar isFiltered={isFiltered} onClear={clear}>
        <FilterSelect
          label={texts.kind}
          all={texts.anyKind}
          value={kind}
          choices={kinds.map((value) => ({ value, label: kindNames[value] }))}
          onValue={(chosen) => set({ kind: chosen })}
        />
        <FilterSelect
          label={texts.status}
          all={texts.anyStatus}
          value={status}
          choices={statuses.map((value) => ({ value, label: statusWords[value].label }))}
          onValue={(chosen) => set({ status: chosen })}
        />
      </FilterBar>
      <DataTable
        label={texts.jobsNewestFirst}
        state={state}
        idOf={({ id }) => id}
        columns={columns(may('jobs:write') ? setCancelled : null)}
        isCounted
        onClearFilter={clear}
        empty={
          <EmptyState
            icon="activity"
            title={texts.noJobsYet}
            text={texts.aJobExportsImportsChanges}
            sample={<code>{texts.postApiV1JobsKind}</code>}
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
    head: texts.job,
    cell: (job) => (
      <span className={css.named}>
        <span className={css.kind}>{kindNames[job.kind]}</span>
        <span className={css.soft}>{aboutJob(job)}</span>
      </span>
    ),
  },
  {
    head: texts.status,
    cell: (job) => (
      <span className={css.named}>
        <Badge tone={statusWords[job.status].tone}>{statusWords[job.status].label}</Badge>
        {job.failure !== null && <span className={css.soft}>{job.failure.detail}</span>}
        <Progress job={job} />
      </span>
    ),
  },
  { head: texts.startedBy, isSecondary: true, cell: ({ createdBy }) => createdBy.name },
  { head: texts.started, isSecondary: true, cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
  {
    head: texts.actions,
    cell: (job) => (
      <span className={css.named}>
        <Files job={job} />
        {cancel !== null && isOpen(job) && <Button onClick={() => cancel(job)}>{texts.cancel}</Button>}
      </span>
    ),
  },
]

const Progress = ({ job }: { readonly job: Job }): ReactNode => (
  <>
    {isOpen(job) && job.total > 0 && (
      <progress
        className={css.progress}
        max={job.total}
        value={job.done}
        aria-label={texts.progressOfThe(kindNames[job.kind].toLowerCase())}
      />
    )}
    <span className={css.soft}>{progressOf(job)}</span>
  </>
)

const Files = ({ job }: { readonly job: Job }): ReactNode =>
  filesOf(job).map(({ label, href, bytes }) => (
    <a key={label} href={href} download>
      {label}, {sizeText(bytes)}
    </a>
  ))

function CancelDialog({ job, onClose }: { readonly job: Job | null; readonly onClose: () => void }): ReactNode {
  const change = useChange('jobs.cancel')
  function confirmed(): void {
    if (job === null) return
    change.mutate(
      { id: job.id },
      {
        onSuccess: () => {
          onClose()
          announce(texts.jobCancelled)
        },
      },
    )
  }
  return (
    <ConfirmDialog
      isOpen={job !== null}
      isBusy={change.isPending}
      title={texts.cancelTheJob}
      confirm={texts.cancelJob}
      cancel={texts.keepRunning}
      onConfirm={confirmed}
      onClose={onClose}
    >
      <p>{texts.changesThatTheJobHas}</p>
      {change.error !== null && <FailureNotice failure={failureOf(change.error)} />}
    </ConfirmDialog>
  )
}
