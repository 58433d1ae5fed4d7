// A choice among the people and keys of the workspace: who did what a list shows.
import type { ReactNode } from 'react'
import type { ListState } from '../ui/list-state.ts'
import { FilterSelect } from '../ui/filter-bar.tsx'
import { useWholeList } from './whole-list.ts'
import { useWorkspace } from './workspace.ts'
import { texts } from './texts.tsx'

/** Of each kind. The search finds others by their names, and the page of a key leads to what it did. */
const choicesMax = 1_000

export function ActorFilter({
  value,
  onValue,
}: {
  readonly value: string | undefined
  readonly onValue: (actor: string | undefined) => void
}): ReactNode {
  const { may } = useWorkspace()
  const members = useWholeList('members.list', { sort: 'name', limit: 200 }, { enabled: may('members:read') })
  const keys = useWholeList('api-keys.list', { limit: 200 }, { enabled: may('api-keys:read') })
  const known = [
    // Deleted ones, which have no name, are not listed.
    ...rowsOf(members).flatMap((member) => ('name' in member ? [{ value: member.id, label: member.name }] : [])),
    ...rowsOf(keys).map(({ id, name, prefix }) => ({ value: id, label: `${name} (${prefix}…)` })),
  ]
  // An actor of the address that is none of these, such as the operator, or a key of another workspace.
  const other =
    value === undefined || known.some((each) => each.value === value) ? [] : [{ value, label: texts.oneActor }]
  return (
    <FilterSelect
      label={texts.actor}
      all={texts.anyActor}
      value={value}
      choices={[...other, ...known]}
      onValue={onValue}
    />
  )
}

const rowsOf = <Row,>(state: ListState<Row>): readonly Row[] =>
  state.kind === 'rows' ? state.rows.slice(0, choicesMax) : []
