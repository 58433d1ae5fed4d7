// A list whose rows are all looked at by the page: asked for a page after the other, up to a bound.
import { useEffect } from 'react'
import type { ListState } from '../ui/list-state.ts'
import { useList, type ListName, type InputOf, type RowOf } from './workspace.ts'

/** Beyond it further rows come on demand. */
const rowsMax = 5_000

export function useWholeList<N extends ListName>(
  name: N,
  input: InputOf<N>,
  options: { readonly enabled?: boolean } = {},
): ListState<RowOf<N>> {
  const state = useList(name, input, false, options)
  const more = state.kind === 'rows' && state.rows.length < rowsMax ? state.more : null
  useEffect(() => {
    if (more !== null && !more.isLoading) more.load()
  }, [more])
  return state
}
