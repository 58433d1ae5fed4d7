// Policies of the workspace: the one in which a call acts, by the header x-workspace-id, the query parameter
// workspaceId or the key's binding, and what it demands of keys. A workspace that does not exist and one that the key
// is not for are answered alike.
import { Fault } from '#contract/faults/fault.ts'
import type { Operation } from '#contract/operation.ts'
import { takeParameter } from '../request/request-head.ts'
import type { Key, KeyWorkspace } from '../keys/key.ts'
import { policyFault } from '#contract/key-policy.ts'

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** What the caller named in the header and in the query; undefined when nothing. */
export type Named = { readonly header: string | undefined; readonly query: string | undefined }

export type WorkspaceSelection = {
  /** Null when the operation needs none, or when `fault` says why none was found. */
  readonly workspaceId: string | null
  /** Without what named the workspace. */
  readonly query: string
  /** Why the call may not act there. Thrown by the caller, after the rate limit, which counts by workspace. */
  readonly fault: Fault | null
}

export function selectWorkspace(
  key: Key,
  tenancy: Operation['tenancy'],
  query: string,
  header: string | string[] | undefined,
  now: number,
): WorkspaceSelection {
  try {
    const { value: named, rest } = takeParameter(query, 'workspaceId')
    if (tenancy === 'none') return { workspaceId: null, query: rest, fault: refusalEverywhere(key, now) }
    const workspace = chooseWorkspace(key, { header: [header].flat()[0], query: named })
    const suspended = workspace.suspended ? new Fault('workspace_suspended', 'This workspace is suspended.') : null
    return { workspaceId: workspace.id, query: rest, fault: suspended ?? refusalIn(workspace, now) }
  } catch (thrown) {
    if (thrown instanceof Fault) return { workspaceId: null, query, fault: thrown }
    throw thrown
  }
}

/** Throws when nothing or two different workspaces are named, and when the key is not for the one that is. */
export function chooseWorkspace(key: Key, named: Named): KeyWorkspace {
  const id = workspaceNamed(named) ?? boundWorkspace(key)
  const workspace = key.workspaces.find((one) => one.id === id)
  if (workspace === undefined) throw new Fault('workspace_not_allowed', 'The key has no access to this workspace.')
  return workspace
}

/** Returns the id in lower case, as ids are stored; throws when it is no UUID. */
export function workspaceId(text: string): string {
  const id = text.toLowerCase()
  if (!uuid.test(id)) throw new Fault('workspace_invalid', 'A workspace ID is a UUID.')
  return id
}

function workspaceNamed({ header, query }: Named): string | undefined {
  if (header !== undefined && query !== undefined && header.toLowerCase() !== query.toLowerCase()) {
    throw new Fault(
      'workspace_conflict',
      'The header x-workspace-id and the parameter workspaceId specify different workspaces.',
    )
  }
  const text = header ?? query
  return text === undefined ? undefined : workspaceId(text)
}

function boundWorkspace(key: Key): string {
  if (!key.bound) throw new Fault('workspace_required', 'Specify a workspace in the header x-workspace-id.')
  return key.workspaces[0]?.id ?? ''
}

// A workspace may refuse a key for what it demands of all keys. The service has compared the two; here it is only asked
// which of its refusals are in force by now.

/** Only a key that is bound to its workspace: any other one is checked when its call has named a workspace. */
export function checkBoundWorkspace(key: Key, now: number): void {
  const fault = key.bound ? refusalEverywhere(key, now) : null
  if (fault !== null) throw fault
}

/** Returns the first workspace's refusal when all refuse the key, null when one of them takes it. */
export function refusalEverywhere({ workspaces }: Key, now: number): Fault | null {
  const faults = workspaces.map((workspace) => refusalIn(workspace, now))
  return faults.includes(null) ? null : (faults[0] ?? null)
}

function refusalIn({ refusals }: KeyWorkspace, now: number): Fault | null {
  const inForce = refusals.find(({ from }) => from <= now)
  return inForce === undefined ? null : policyFault(inForce.rule)
}
