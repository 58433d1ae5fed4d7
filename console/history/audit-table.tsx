// A table of audit entries. A row opens beside it with all that the entry holds.
import type { ReactNode } from 'react'
import type { AuditEntry } from '#contract/audit-entries.ts'
import { Badge, Tag } from '../ui/badge.tsx'
import { DataTable, RowButton, type Column } from '../ui/data-table.tsx'
import type { ListState } from '../ui/list-state.ts'
import { RelativeTime } from '../ui/relative-time.tsx'
import { SideDialog } from '../ui/side-dialog.tsx'
import type { Tone } from '../ui/tone.ts'
import { AuditDetails } from './audit-details.tsx'
import css from './history.module.css'
import { ActorName } from './links.tsx'
import { useShown } from './use-shown.ts'

export function AuditTable({
  label,
  state,
  isOfOne = false,
  empty,
  onClearFilter,
}: {
  readonly label: string
  readonly state: ListState<AuditEntry>
  /** All entries are about one object, which the page names: what was changed stands in place of the target. */
  readonly isOfOne?: boolean
  readonly empty: ReactNode
  readonly onClearFilter?: () => void
}): ReactNode {
  const [shown, setShown] = useShown<AuditEntry>()
  return (
    <>
      <DataTable
        label={label}
        state={state}
        idOf={({ id }) => id}
        columns={columns(setShown, isOfOne)}
        empty={empty}
        {...(onClearFilter && { onClearFilter })}
      />
      <SideDialog side="right" isOpen={shown !== null} title="Audit entry" onClose={() => setShown(null)}>
        {shown !== null && <AuditDetails entry={shown} onLeave={() => setShown(null)} />}
      </SideDialog>
    </>
  )
}

const columns = (show: (entry: AuditEntry) => void, isOfOne: boolean): readonly Column<AuditEntry>[] => [
  { head: 'Action', cell: (entry) => <RowButton name={entry.action} onOpen={() => show(entry)} /> },
  isOfOne
    ? { head: 'Changed fields', isSecondary: true, cell: ({ changes }) => Object.keys(changes).join(', ') || '–' }
    : { head: 'Target', cell: ({ target }) => (target === null ? '–' : (target.name ?? target.type)) },
  { head: 'Actor', cell: ({ actor }) => <ActorName actor={actor} /> },
  { head: 'Outcome', cell: (entry) => <Outcome entry={entry} /> },
  { head: 'Surface', isSecondary: true, cell: ({ surface }) => <Tag>{surface}</Tag> },
  { head: 'IP address', isSecondary: true, cell: ({ ip }) => ip ?? '–' },
  { head: 'Time', cell: ({ at }) => <RelativeTime at={at} /> },
]

function Outcome({ entry: { outcome, code, count } }: { readonly entry: AuditEntry }): ReactNode {
  const { word, tone } = outcomeWords[outcome]
  return (
    <span className={css.outcome}>
      <Badge tone={tone}>{count === 1 ? word : `${word} ${count} times`}</Badge>
      {code !== null && <code className={css.code}>{code}</code>}
    </span>
  )
}

export const outcomeWords: Readonly<Record<AuditEntry['outcome'], { readonly word: string; readonly tone: Tone }>> = {
  success: { word: 'Succeeded', tone: 'good' },
  denied: { word: 'Denied', tone: 'warn' },
  failed: { word: 'Failed', tone: 'bad' },
}
