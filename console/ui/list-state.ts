// The states of a list. A table takes one of these, so that no state is forgotten.
import type { Failure } from './failure.ts'

export type ListState<Row> =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly failure: Failure; retry(): void }
  /** `detail` says who may. */
  | { readonly kind: 'forbidden'; readonly detail: string }
  /** There is nothing at all. */
  | { readonly kind: 'empty' }
  /** There is nothing that fits the filter. */
  | { readonly kind: 'filtered-empty' }
  /** `of`: how many there are without a filter, where that is known. */
  | { readonly kind: 'rows'; readonly rows: readonly Row[]; readonly more: More | null; readonly of?: number }

/** There are further rows. */
export type More = { readonly isLoading: boolean; load(): void }
