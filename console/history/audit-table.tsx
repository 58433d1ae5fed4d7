// A table of audit entries. A row opens beside it with all that the entry holds.
import type { ReactNode } from 'react'
import type { AuditEntry } from '#contract/audit-entries.ts'
import { Badge, Tag } from '../ui/badge.tsx'
import { DataTable, RowButton, type Column } from '../ui/data-table.tsx'
import type { ListState } from '../ui/list-state.ts'
import { RelativeTime } from '../ui/relative-time.tsx'
import { SideDialog } from '../ui/side-dialog.tsx'
import { AuditDetails } from './audit-details.tsx'
import css from './history.module.css'
import { ActorName } from './links.tsx'
import { useShown } from './use-shown.ts'
import { outcomeWords } from './outcome-words.ts'
import { texts } from './texts.ts'

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
      <SideDialog side="right" isOpen={shown !== null} title={texts.auditEntry} onClose={() => setShown(null)}>
        {shown !== null && <AuditDetails entry={shown} onLeave={() => setShown(null)} />}
      </SideDialog>
    </>
  )
}

const columns = (show: (entry: AuditEntry) => void, isOfOne: boolean): readonly Column<AuditEntry>[] => [
  { head: texts.action, cell: (entry) => <RowButton name={entry.action} onOpen={() => show(entry)} /> },
  isOfOne
    ? { head: texts.changedFields, isSecondary: true, cell: ({ changes }) => fieldsText(Object.keys(changes)) }
    : {
        head: texts.target,
        isSecondary: true,
        cell: ({ target }) => (target === null ? '–' : (target.name ?? target.type)),
      },
  { head: texts.actor, cell: ({ actor }) => <ActorName actor={actor} /> },
  { head: texts.outcome, isSecondary: true, cell: (entry) => <Outcome entry={entry} /> },
  { head: texts.surface, isSecondary: true, cell: ({ surface }) => <Tag>{surface}</Tag> },
  { head: texts.ipAddress, isSecondary: true, cell: ({ ip }) => ip ?? '–' },
  { head: texts.time, cell: ({ at }) => <RelativeTime at={at} /> },
]

const fieldsMax = 4

/** A new object has changed in all of its fields, so the first ones are named and the others counted. */
function fieldsText(fields: readonly string[]): string {
  if (fields.length === 0) return '–'
  const shown = fields.slice(0, fieldsMax).join(', ')
  return fields.length > fieldsMax ? texts.andMoreFields(shown, fields.length - fieldsMax) : shown
}

function Outcome({ entry: { outcome, code, count } }: { readonly entry: AuditEntry }): ReactNode {
  const { word, tone } = outcomeWords[outcome]
  return (
    <span className={css.outcome}>
      <Badge tone={tone}>{count === 1 ? word : texts.times(word, count)}</Badge>
      {code !== null && <code className={css.code}>{code}</code>}
    </span>
  )
}
