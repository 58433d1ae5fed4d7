// What a search is asked for and finds, wherever it looks.
import type { SearchType } from '#contract/tools/context.ts'

export type Hit = { readonly type: SearchType } & Readonly<Record<string, unknown>>
export type Hits = { readonly data: readonly Hit[]; readonly hasMore: boolean }

/** `q` is undefined where all are listed. */
export type Asked = { readonly q: string | undefined; readonly includeArchived: boolean; readonly limit: number }
