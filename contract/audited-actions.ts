// Every name by which the audit log calls what happened: the one table of the filter, in the API and in the console.
// Any operation may be there, since a call that was refused has an entry as well.
import { apiKeyRotationDue } from './api-keys.ts'
import { operations } from './api.ts'
import { webhookDisabled } from './webhooks.ts'

/** Calls over MCP: of a tool, and those that were refused before a tool was known. */
const ofAssistants = ['tools.call', 'mcp']
/** What happens of itself is called as its event. */
const ofSystem = [apiKeyRotationDue.type, webhookDisabled.type]

export const auditedActions: readonly string[] = [
  ...new Set([...operations.map(({ name }) => name), ...ofAssistants, ...ofSystem]),
].toSorted((one, other) => (one < other ? -1 : 1))
