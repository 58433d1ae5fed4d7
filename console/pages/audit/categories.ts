// The categories of the audit log, each with its actions: at most as many as one call takes.
import { auditedActions } from 'virtual:audited-actions'
import { auditInput, type AuditFilter, type AuditSearch, type Category } from './audit-search.ts'
import { texts } from './texts.ts'

const beginningWith = (...beginnings: readonly string[]): readonly string[] =>
  auditedActions.filter((action) => beginnings.some((each) => action.startsWith(each)))

const signIns = [
  'sessions.create',
  'sessions.complete-at-provider',
  'invitations.accept',
  'accounts.request-reset',
  'accounts.recover',
  'setup.complete',
]

export const categories: Readonly<Record<Category, { readonly label: string; readonly actions: readonly string[] }>> = {
  'sign-ins': { label: texts.signIns, actions: signIns },
  keys: { label: texts.apiKeys, actions: [...beginningWith('api-keys.'), 'me.rotate'] },
  webhooks: { label: texts.webhooks, actions: beginningWith('webhooks.') },
  members: { label: texts.members, actions: beginningWith('members.', 'invitations.', 'email-changes.') },
  workspace: { label: texts.workspaceAndPolicy, actions: beginningWith('workspaces.', 'sandboxes.') },
  agents: { label: texts.agentToolCalls, actions: ['tools.call', 'mcp'] },
}

/** An action says more than its category. */
export function auditFilter(search: AuditSearch, nowMs: number): AuditFilter {
  const { category, action } = search
  const isOfCategory = category !== undefined && action === undefined
  return { ...auditInput(search, nowMs), ...(isOfCategory && { action: [...categories[category].actions] }) }
}
