// Where the text of a resource comes from.
import type { Resource } from '#contract/resources.ts'
import { covers, type Scope } from '#contract/scope.ts'
import type { Call, Db } from '../execution/handler.ts'

export type Reader = {
  readonly db: Db
  readonly workspaceId: string
  readonly may: (scope: Scope) => boolean
}

export const readerOf = ({ db, workspaceId, principal }: Call): Reader => ({
  db,
  workspaceId,
  may: (scope) => covers(principal.scopes, scope),
})

type Text = { readonly text: string; readonly updatedAt: Date | null }

export type Source = Omit<Resource, 'object' | 'size' | 'updatedAt'> & {
  /** Without it there is nothing to be read. */
  readonly scope: Scope | null
  readonly write: (reader: Reader) => Promise<Text>
}
