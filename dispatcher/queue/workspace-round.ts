// Whose turn it is: workspaces take turns, and within each of them its webhooks do. However many webhooks a workspace has,
// the next one of another workspace waits behind at most one of them.

export type WorkspaceRound = {
  /** At the end; one that is in the round already keeps its place. */
  join(workspaceId: string, webhookId: string): void
  /** Takes the next webhook out of the round. A workspace that may start nothing is passed over until it is woken. */
  next(): string | undefined
  /** At the end. */
  wake(workspaceId: string): void
}

export function workspaceRound(mayStart: (workspaceId: string) => boolean): WorkspaceRound {
  const workspaces = new Map<string, Set<string>>()
  const resting = new Map<string, Set<string>>()

  function join(workspaceId: string, webhookId: string): void {
    const rests = resting.get(workspaceId)
    if (rests !== undefined) return void rests.add(webhookId)
    const webhookIds = workspaces.get(workspaceId) ?? new Set()
    workspaces.set(workspaceId, webhookIds.add(webhookId))
  }

  function next(): string | undefined {
    for (const [workspaceId, webhookIds] of workspaces) {
      workspaces.delete(workspaceId)
      if (!mayStart(workspaceId)) {
        resting.set(workspaceId, webhookIds)
        continue
      }
      for (const webhookId of webhookIds) {
        webhookIds.delete(webhookId)
        if (webhookIds.size > 0) workspaces.set(workspaceId, webhookIds)
        return webhookId
      }
    }
    return undefined
  }

  function wake(workspaceId: string): void {
    const webhookIds = resting.get(workspaceId)
    if (webhookIds === undefined) return
    resting.delete(workspaceId)
    workspaces.set(workspaceId, webhookIds)
  }
  return { join, next, wake }
}
