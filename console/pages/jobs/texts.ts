// All texts of the page jobs, in one place for a translation.

export const texts = {
  jobs: 'Jobs',
  exportsImportsAndBulkChanges:
    'Exports, imports and bulk changes that were started with API keys. Jobs are kept for 7 days after they finish.',
  kind: 'Kind',
  anyKind: 'Any kind',
  status: 'Status',
  anyStatus: 'Any status',
  jobsNewestFirst: 'Jobs, newest first',
  noJobsYet: 'No jobs yet',
  aJobExportsImportsChanges:
    'A job exports, imports, changes or deletes many objects in the background. You start it with an API request.',
  postApiV1JobsKind: 'POST /api/v1/jobs {"kind":"export"}',
  job: 'Job',
  startedBy: 'Started by',
  started: 'Started',
  actions: 'Actions',
  cancel: 'Cancel…',
  progressOfThe: (kindName: string) => `Progress of the ${kindName}`,
  jobCancelled: 'Job cancelled',
  cancelTheJob: 'Cancel the job?',
  cancelJob: 'Cancel job',
  keepRunning: 'Keep running',
  changesThatTheJobHas: 'Changes that the job has already made are kept. A cancelled job cannot be continued.',
}
