// The people of the workspace: what each may do, whether they have come yet, and when they were last here.
import { useState, type ReactNode } from 'react'
import type { Member } from '#contract/members.ts'
import { sortingOf, useFilters } from '../../app/filters.ts'
import { roles, roleWords } from '../../app/role-words.ts'
import { useList, useWorkspace } from '../../app/workspace.ts'
import { Button } from '../../ui/button.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { FilterBar, FilterSearch, FilterSelect } from '../../ui/filter-bar.tsx'
import type { ListState } from '../../ui/list-state.ts'
import { Page } from '../../ui/page.tsx'
import { SideDialog } from '../../ui/side-dialog.tsx'
import { EmailChanges } from './email-changes.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import { memberColumns } from './member-columns.tsx'
import { MemberDetails } from './member-details.tsx'
import { memberInput, statuses, type MemberSearch } from './member-search.ts'
import { statusNames } from './member-state.ts'
import { texts } from './texts.ts'

export function MembersPage(): ReactNode {
  const { member, may } = useWorkspace()
  const filters = useFilters<MemberSearch>()
  const state = people(useList('members.list', memberInput(filters.values), filters.isFiltered))
  const [shownId, setShownId] = useState<string | null>(null)
  const [isInviting, setInviting] = useState(false)
  const shown = state.kind === 'rows' ? state.rows.find(({ id }) => id === shownId) : undefined
  const mayManage = may('workspaces:write')
  const invite = (
    <Button variant="primary" icon="plus" data-shortcut="n" onClick={() => setInviting(true)}>
      {texts.inviteMemberButton}
    </Button>
  )
  return (
    <Page
      title={texts.members}
      guide="/docs/members"
      about={texts.peopleWithAccessToThis}
      actions={mayManage && state.kind !== 'empty' && invite}
    >
      {member?.role === 'owner' && <EmailChanges />}
      {state.kind !== 'empty' && state.kind !== 'forbidden' && <MemberFilters filters={filters} />}
      <DataTable
        label={texts.members}
        state={state}
        columns={memberColumns(member?.memberId, ({ id }) => setShownId(id))}
        idOf={({ id }) => id}
        sorting={{ ...sortingOf(filters), order: filters.values.sort ?? 'name' }}
        isCounted
        onClearFilter={filters.clear}
        empty={<NoMembers action={mayManage ? invite : 'Admins and owners of the workspace can invite members.'} />}
      />
      <SideDialog side="right" isOpen={shown !== undefined} title={texts.member} onClose={() => setShownId(null)}>
        {shown !== undefined && <MemberDetails key={shown.id} member={shown} onRemoved={() => setShownId(null)} />}
      </SideDialog>
      <InviteDialog isOpen={isInviting} onClose={() => setInviting(false)} />
    </Page>
  )
}

const MemberFilters = ({
  filters: { values, set, clear, isFiltered },
}: {
  readonly filters: ReturnType<typeof useFilters<MemberSearch>>
}): ReactNode => (
  <FilterBar isFiltered={isFiltered} onClear={clear}>
    <FilterSearch label={texts.nameOrEmail} value={values.q} onValue={(q) => set({ q })} />
    <FilterSelect
      label={texts.role}
      all={texts.anyRole}
      value={values.role}
      choices={roles.map((value) => ({ value, label: roleWords[value].name }))}
      onValue={(role) => set({ role })}
    />
    <FilterSelect
      label={texts.status}
      all={texts.anyStatus}
      value={values.status}
      choices={statuses.map((value) => ({ value, label: statusNames[value] }))}
      onValue={(status) => set({ status })}
    />
  </FilterBar>
)

const NoMembers = ({ action }: { readonly action: ReactNode }): ReactNode => (
  <EmptyState icon="members" title={texts.noOtherMembers} text={texts.membersSignInWithTheir} action={action} />
)

/** An item of the list, which may be a removed member. */
type Listed = Member | { readonly deletedAt: string | null }

function people(state: ListState<Listed>): ListState<Member> {
  return state.kind === 'rows' ? { ...state, rows: state.rows.filter(isMember) } : state
}

const isMember = (row: Listed): row is Member => 'email' in row
