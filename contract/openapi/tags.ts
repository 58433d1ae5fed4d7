// The parts of the description: one for each segment of names.
import type { OperationName } from '../api.ts'

export type Tag = OperationName extends infer N ? (N extends `${infer S}.${string}` ? S : never) : never

export const tags: Readonly<Record<Tag, string>> = {
  me: 'The calling key: what it may do, where, and a new secret for it.',
  projects: 'Projects, with the comments on them.',
  tasks: 'Tasks of projects, with the comments on them.',
  'crm-entities': 'Companies, contacts and deals: one collection, told apart by `kind`.',
  documents: 'Company documents in Markdown.',
  search: 'One query over projects, tasks, CRM entities and documents.',
  resources: 'Texts that a workspace has about itself, for people and for models.',
  members: 'The people of the workspace.',
  workspaces: 'The workspace that a call acts in, and its limits.',
  'custom-fields': 'What the workspace has added to projects, tasks and CRM entities.',
  webhooks: 'Who is told of changes, where, and of which.',
  deliveries: 'Events on their way to webhooks: every attempt, and sending again.',
  events: 'The feed: every change in the workspace, in order, for 30 days.',
  'event-types': 'The kinds of events, each with its schema.',
  'audit-entries': 'Who changed keys, webhooks, members and policies, and whose calls were refused.',
  'api-keys': 'Keys, which are made in the workspace settings.',
}

export const tagOf = (name: string): string => name.split('.')[0] ?? name
