// The workspace that an accepted invitation leads to. Pure.

type Member = { readonly workspaceId: string }
type Memberships<M> = { readonly workspaces: readonly M[] }

/** The workspace that the account is a member of now and was not before; undefined where there is none. */
export function joinedWorkspace<M extends Member>(
  before: Memberships<M> | undefined,
  after: Memberships<M>,
): M | undefined {
  const known = new Set(before?.workspaces.map(({ workspaceId }) => workspaceId))
  return after.workspaces.find(({ workspaceId }) => !known.has(workspaceId))
}
