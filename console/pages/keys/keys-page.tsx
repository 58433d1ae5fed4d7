// The keys of the workspace: what each may do, when it was used last, and what is to be done about it.
import { useState, type ReactNode } from 'react'
import type { ApiKey } from '#contract/api-keys.ts'
import { sortingOf, useFilters } from '../../app/filters.ts'
import { NewLink } from '../../app/new-link.tsx'
import { useWholeList } from '../../app/whole-list.ts'
import { useWorkspace } from '../../app/workspace.ts'
import { CodeBlock } from '../../ui/code-block.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { FilterBar, FilterSearch, FilterSelect } from '../../ui/filter-bar.tsx'
import type { ListState } from '../../ui/list-state.ts'
import { Page } from '../../ui/page.tsx'
import { keyColumns } from './key-columns.tsx'
import { fittingKeys, type KeySearch } from './key-filter.ts'
import { isUsable, nameOfRisk, riskNames } from './key-risks.ts'
import { statusNames, type KeyStatus } from './key-state.tsx'
import { RevokeMany } from './revoke-many.tsx'
import { texts } from './texts.tsx'

const statusChoices = (Object.keys(statusNames) as KeyStatus[]).map((value) => ({ value, label: statusNames[value] }))
const riskChoices = riskNames.map((value) => ({ value, label: nameOfRisk(value) }))

export function KeysPage(): ReactNode {
  const workspace = useWorkspace()
  const filters = useFilters<KeySearch>()
  const all = useWholeList('api-keys.list', { limit: 200 })
  const state = fitting(all, filters.values, filters.isFiltered)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const rows = state.kind === 'rows' ? state.rows : []
  const chosenKeys = rows.filter(({ id }) => chosen.has(id))
  const mayWrite = workspace.may('api-keys:write')
  return (
    <Page
      title={texts.apiKeys}
      guide="/docs/authentication"
      about={texts.programsUseApiKeysTo}
      actions={mayWrite && all.kind !== 'empty' && <CreateLink />}
    >
      {all.kind !== 'empty' && all.kind !== 'forbidden' && (
        <FilterBar isFiltered={filters.isFiltered} onClear={filters.clear}>
          <FilterSearch label={texts.namePrefixOrScope} value={filters.values.q} onValue={(q) => filters.set({ q })} />
          <FilterSelect
            label={texts.status}
            all={texts.anyStatus}
            value={filters.values.status}
            choices={statusChoices}
            onValue={(status) => filters.set({ status })}
          />
          <FilterSelect
            label={texts.risk}
            all={texts.anyRisk}
            value={filters.values.risk}
            choices={riskChoices}
            onValue={(risk) => filters.set({ risk })}
          />
        </FilterBar>
      )}
      {chosenKeys.length > 0 && <RevokeMany keys={chosenKeys} onDone={() => setChosen(new Set())} />}
      <DataTable
        label={texts.apiKeys}
        state={state}
        columns={keyColumns(workspace.id)}
        idOf={({ id }) => id}
        empty={<NoKeys mayWrite={mayWrite} />}
        sorting={sortingOf(filters)}
        isCounted
        onClearFilter={filters.clear}
        {...(mayWrite && {
          selection: { chosen, onChosen: setChosen, nameOf: ({ name }: ApiKey) => name, canChoose: isUsable },
        })}
      />
    </Page>
  )
}

const CreateLink = (): ReactNode => <NewLink to="/w/$workspaceId/keys/new">{texts.createKey}</NewLink>

const NoKeys = ({ mayWrite }: { readonly mayWrite: boolean }): ReactNode => (
  <EmptyState
    icon="key"
    title={texts.noKeysYet}
    text={texts.createAKeyForEach}
    action={mayWrite ? <CreateLink /> : 'Admins and owners of the workspace can create keys.'}
    sample={<CodeBlock what={texts.sampleRequest} text={texts.sampleOfRequest(location.origin)} />}
  />
)

function fitting(state: ListState<ApiKey>, search: KeySearch, isFiltered: boolean): ListState<ApiKey> {
  if (state.kind !== 'rows' || !isFiltered) return state
  const rows = fittingKeys(state.rows, search, Date.now())
  return rows.length === 0 ? { kind: 'filtered-empty' } : { ...state, rows, of: state.rows.length }
}
