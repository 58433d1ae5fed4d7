// Does a workspace refuse the key for what it demands of all keys? The service has compared the two; asked here is
// which of its refusals are in force by now.
import type { Fault } from '#contract/faults/fault.ts'
import { policyFault } from '#contract/key-policy.ts'
import type { Key, KeyWorkspace } from './key.ts'

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

export function refusalIn({ refusals }: KeyWorkspace, now: number): Fault | null {
  const inForce = refusals.find(({ from }) => from <= now)
  return inForce === undefined ? null : policyFault(inForce.rule)
}
