// A job in words, and where its files are. Pure.
import { routes } from 'virtual:routes'
import type { Job, JobKind, JobStatus } from '#contract/jobs.ts'
import type { Tone } from '../../ui/tone.ts'

export type JobSearch = { readonly kind?: JobKind | undefined; readonly status?: JobStatus | undefined }

export const statusWords: Readonly<Record<JobStatus, { readonly label: string; readonly tone: Tone }>> = {
  queued: { label: 'Queued', tone: 'neutral' },
  running: { label: 'Running', tone: 'accent' },
  completed: { label: 'Completed', tone: 'good' },
  cancelled: { label: 'Cancelled', tone: 'neutral' },
  failed: { label: 'Failed', tone: 'bad' },
}

export const kindNames: Readonly<Record<JobKind, string>> = {
  export: 'Export',
  import: 'Import',
  update: 'Update',
  delete: 'Deletion',
}

export const isOpen = ({ endedAt }: Pick<Job, 'endedAt'>): boolean => endedAt === null

/** The collections of a job, such as `tasks`. */
export const aboutJob = ({ request: { resource, resources = [], dryRun } }: Job): string =>
  `${resource ?? resources.join(', ')}${dryRun === true ? ', dry run' : ''}`

const number = new Intl.NumberFormat('en')

/** `812 of 5,000`; in words where nothing is counted yet. */
export function progressOf({ status, total, done, refused }: Job): string {
  if (total === 0 && (status === 'queued' || status === 'running')) return 'Not counted yet'
  const refusals = refused === 0 ? '' : `, ${number.format(refused)} failed`
  return `${number.format(done)} of ${number.format(total)}${refusals}`
}

export type JobFile = { readonly label: string; readonly href: string; readonly rows: number; readonly bytes: number }

export function filesOf({ id, workspaceId, result, refusals }: Job): JobFile[] {
  const all = [
    { name: 'jobs.result', label: 'Result', file: result },
    { name: 'jobs.refusals', label: 'Failed items', file: refusals },
  ] as const
  return all.flatMap(({ name, label, file }) => {
    const [, path = ''] = routes[name]?.split(' ') ?? []
    const href = path.replace('{workspaceId}', workspaceId).replace('{id}', id)
    return file === null ? [] : [{ label, href, ...file }]
  })
}

/** `3.1 MB`. */
export function sizeText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`
  const [value, unit] =
    bytes < 1_000_000 ? [bytes / 1_000, 'kB'] : bytes < 1e9 ? [bytes / 1e6, 'MB'] : [bytes / 1e9, 'GB']
  return `${value.toFixed(1)} ${unit}`
}
