import type { UseQueryResult } from '@tanstack/react-query'
import type { ListState } from '../ui/list-state.ts'
import { stateOfError } from './workspace.ts'

/** The rows of an answer that comes as a whole, as a table takes them. */
export function answerState<Answer, Row>(
  { data, error, refetch }: UseQueryResult<Answer>,
  rowsOf: (answer: Answer) => readonly Row[],
): ListState<Row> {
  if (data !== undefined) {
    const rows = rowsOf(data)
    return rows.length === 0 ? { kind: 'empty' } : { kind: 'rows', rows, more: null }
  }
  return error === null ? { kind: 'loading' } : stateOfError(error, () => void refetch())
}

/** The first rows alone; the others when they are asked for. */
export const shortened = <Row>(state: ListState<Row>, max: number, load: () => void): ListState<Row> =>
  state.kind === 'rows' && state.rows.length > max
    ? { ...state, rows: state.rows.slice(0, max), more: { isLoading: false, load } }
    : state
