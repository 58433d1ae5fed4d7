// What a resource is made of: its description, the scope that it needs, and the function that writes its text.
import type { Resource } from '#contract/resources.ts'
import { covers, type Scope } from '#contract/scopes.ts'
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
  /** The scope that reading it needs; null for none. */
  readonly scope: Scope | null
  readonly write: (reader: Reader) => Promise<Text>
}
