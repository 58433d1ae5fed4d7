// The client of this installation, with the settings of `.env`. Its source is beside this file: it is that of the
// package `workspace-integration-client`.
import { createClient } from '../../typescript/src/index.ts'

export const api = createClient({
  baseUrl: setting('WORKSPACE_API_URL'),
  apiKey: setting('WORKSPACE_API_KEY'),
  workspaceId: process.env['WORKSPACE_ID'] || undefined,
  userAgent: 'workspace-starter/1.0',
})

function setting(name: string): string {
  const value = process.env[name]
  if (!value) throw new Error(`Set ${name}, see .env.example`)
  return value
}
