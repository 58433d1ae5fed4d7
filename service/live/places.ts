// How many may listen at a time: bounded for a process, and for each workspace, so that one leaves room to the others.
export type PlaceBounds = { readonly all: number; readonly perWorkspace: number }
export type Places = {
  /** Null when all are taken; else what gives the place back, once. */
  take(workspaceId: string): (() => void) | null
}

export function openPlaces(bounds: PlaceBounds): Places {
  const perWorkspace = new Map<string, number>()
  let size = 0

  function count(workspaceId: string, change: 1 | -1): void {
    size += change
    const own = (perWorkspace.get(workspaceId) ?? 0) + change
    if (own === 0) perWorkspace.delete(workspaceId)
    else perWorkspace.set(workspaceId, own)
  }

  return {
    take: (workspaceId) => {
      if (size >= bounds.all || (perWorkspace.get(workspaceId) ?? 0) >= bounds.perWorkspace) return null
      count(workspaceId, 1)
      let isTaken = true
      return () => {
        if (isTaken) count(workspaceId, -1)
        isTaken = false
      }
    },
  }
}
