// Whose turn it is: workspaces take turns, and within each of them its webhooks do. However many webhooks a workspace has,
// the next one of another workspace waits behind at most one of them.

export type WorkspaceRound = {
  /** At the end; one that is in the round already keeps its place. */
  join(workspaceId: string, webhookId: string): void
  /** Takes the next webhook out of the round. */
  next(): string | undefined
}

export function workspaceRound(): WorkspaceRound {
  const workspaces = new Map<string, Set<string>>()

  function join(workspaceId: string, webhookId: string): void {
    const webhookIds = workspaces.get(workspaceId) ?? new Set()
    workspaces.set(workspaceId, webhookIds.add(webhookId))
  }

  function next(): string | undefined {
    for (const [workspaceId, webhookIds] of workspaces) {
      workspaces.delete(workspaceId)
      for (const webhookId of webhookIds) {
        webhookIds.delete(webhookId)
        if (webhookIds.size > 0) workspaces.set(workspaceId, webhookIds)
        return webhookId
      }
    }
    return undefined
  }
  return { join, next }
}
