// The workspace that the page is about, by its address, and calls in it.
import {
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
  type UseQueryResult,
} from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { OperationName, OperationNamed } from '#contract/api.ts'
import type { Input, Output } from '#contract/operation.ts'
import type { Scope } from '#contract/scopes.ts'
import type { ListState } from '../ui/list-state.ts'
import { call, codeOf } from './call.ts'
import { failureOf } from './failure.ts'
import { may, useMembership, type Membership } from './session.ts'

export type Workspace = {
  readonly id: string
  readonly member: Membership | null
  may(scope: Scope): boolean
}

export function useWorkspace(): Workspace {
  const { workspaceId: id = '' } = useParams({ strict: false })
  const member = useMembership(id)
  return { id, member, may: (scope) => may(member, scope) }
}

export type InputOf<N extends OperationName> = Input<OperationNamed<N>>
type OutputOf<N extends OperationName> = Output<OperationNamed<N>>

/** Also for `setQueryData` and `invalidateQueries`. */
export const keyOf = (workspaceId: string, name: OperationName, ...input: readonly unknown[]): readonly unknown[] => [
  workspaceId,
  name,
  ...input,
]

type AnswerOptions = {
  readonly enabled?: boolean
  readonly refetchInterval?: number | false
  /** While another input is asked about, the answer to the one before is shown. */
  readonly keepsPrevious?: boolean
}

/** Returns the answer of a reading operation in this workspace. */
export function useAnswer<N extends OperationName>(
  name: N,
  input: InputOf<N>,
  { keepsPrevious = false, ...options }: AnswerOptions = {},
): UseQueryResult<OutputOf<N>> {
  const { id } = useWorkspace()
  return useQuery({
    queryKey: keyOf(id, name, input),
    queryFn: ({ signal }) => call(name, input, { workspaceId: id, signal }),
    ...options,
    ...(keepsPrevious && { placeholderData: keepPreviousData }),
  })
}

type Page = { readonly data: readonly unknown[]; readonly page: { readonly nextCursor: string | null } }
/** Operations that answer in pages. */
export type ListName = { [N in OperationName]: OutputOf<N> extends Page ? N : never }[OperationName]
export type RowOf<N extends ListName> = OutputOf<N> extends { readonly data: readonly (infer Row)[] } ? Row : never

type ListOptions<Row> = {
  /** After how long these rows are asked for again; false: not of its own accord. */
  readonly againMs?: (rows: readonly Row[]) => number | false
  readonly enabled?: boolean
}

/** A list as a table takes it, further pages on demand. `isFiltered`: an empty one may have rows without the filter. */
export function useList<N extends ListName>(
  name: N,
  input: InputOf<N>,
  isFiltered: boolean,
  { againMs = () => false, enabled = true }: ListOptions<RowOf<N>> = {},
): ListState<RowOf<N>> {
  const { id } = useWorkspace()
  const query = useInfiniteQuery({
    queryKey: keyOf(id, name, input, 'pages'),
    queryFn: async ({ signal, pageParam }) =>
      // The types know the answer of each list by its name, but not of any list.
      (await call(name, pageInput(input, pageParam), { workspaceId: id, signal })) as Page,
    initialPageParam: null as string | null,
    getNextPageParam: ({ page }) => page.nextCursor,
    enabled,
    refetchInterval: ({ state }) => againMs((state.data?.pages.flatMap(({ data }) => data) ?? []) as RowOf<N>[]),
  })
  if (query.isPending) return { kind: 'loading' }
  if (query.error !== null) return stateOfError(query.error, () => void query.refetch())
  const rows = query.data.pages.flatMap(({ data }) => data) as RowOf<N>[]
  if (rows.length === 0 && !query.hasNextPage) return { kind: isFiltered ? 'filtered-empty' : 'empty' }
  const more = { isLoading: query.isFetchingNextPage, load: () => void query.fetchNextPage() }
  return { kind: 'rows', rows, more: query.hasNextPage ? more : null }
}

const wholePages = 50
/** Every list takes a limit, which the types do not know of any. */
const widest = <Input>(input: Input): Input => ({ ...(input as object), limit: 200 }) as Input

/** All rows of a list, for a choice among them: page after page, 10,000 at most. */
export function useWholeList<N extends ListName>(
  name: N,
  input: InputOf<N>,
  options: AnswerOptions = {},
): UseQueryResult<RowOf<N>[]> {
  const { id } = useWorkspace()
  return useQuery({
    queryKey: keyOf(id, name, input, 'whole'),
    queryFn: async ({ signal }) => {
      const rows: unknown[] = []
      let cursor: string | null = null
      for (let page = 0; page < wholePages; page += 1) {
        // The types know the answer of each list by its name, but not of any list.
        const answer = (await call(name, pageInput(widest(input), cursor), {
          workspaceId: id,
          signal,
        })) as Page
        rows.push(...answer.data)
        cursor = answer.page.nextCursor
        if (cursor === null) break
      }
      return rows as RowOf<N>[]
    },
    ...options,
  })
}

const pageInput = <Input>(input: Input, cursor: string | null): Input =>
  cursor === null ? input : { ...input, cursor }

export function stateOfError(error: unknown, retry: () => void): ListState<never> {
  const failure = failureOf(error)
  return codeOf(error) === 'insufficient_scope'
    ? { kind: 'forbidden', detail: failure.detail }
    : { kind: 'failed', failure, retry }
}

/**
 * A call that changes something. All that the page shows of the same resource is asked for again, and of those that it
 * changes as well.
 */
export function useChange<N extends OperationName>(name: N, alsoOf: readonly string[] = []) {
  const { id } = useWorkspace()
  const queries = useQueryClient()
  const resources = [name.split('.')[0] ?? name, ...alsoOf]
  return useMutation({
    mutationFn: (input: InputOf<N>) => call(name, input, { workspaceId: id }),
    // A secret in an answer is the caller's to keep, and not the cache's.
    gcTime: 0,
    onSettled: () =>
      queries.invalidateQueries({
        predicate: ({ queryKey: [workspace, operation] }) =>
          workspace === id &&
          typeof operation === 'string' &&
          resources.some((resource) => operation.startsWith(`${resource}.`)),
      }),
  })
}
