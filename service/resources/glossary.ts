// The values, states, scopes and events of the API, in Markdown, read off the contract and the rules.
import { eventCatalogue } from '#contract/api.ts'
import { DealStage } from '#contract/crm-entities.ts'
import { DocumentStatus } from '#contract/documents.ts'
import type { SchemaNode } from '#contract/json-schema.ts'
import { MemberStatus } from '#contract/members.ts'
import { ProjectStatus } from '#contract/projects.ts'
import { scopes } from '#contract/scopes.ts'
import { TaskStatus } from '#contract/tasks.ts'
import { allowedTransitions as movesOfDeal } from '../crm-entities/rules.ts'
import { allowedTransitions as movesOfDocument } from '../documents/rules.ts'
import { allowedTransitions as movesOfMember } from '../members/rules.ts'
import { allowedTransitions as movesOfProject } from '../projects/rules.ts'
import { allowedTransitions as movesOfTask } from '../tasks/rules.ts'
import type { Source } from './sources.ts'

export const glossary: Source = {
  uri: 'workspace://glossary',
  name: 'glossary',
  title: 'Glossary',
  description: 'Values, states and what may follow them, scopes and events. The same in every workspace.',
  mimeType: 'text/markdown',
  kind: 'glossary',
  scope: null,
  write: async () => ({ text, updatedAt: null }),
}

const text = ['# Glossary', ...values(), ...transitions(), ...access(), ...events()].join('\n')

function values(): string[] {
  const bySegment = new Map(eventCatalogue.map(({ type, data }) => [type.split('.')[0], allowedValuesIn(data)]))
  const lines = [...bySegment].flatMap(([segment, fields]) =>
    [...fields].map(([name, all]) => `- ${segment}, \`${name}\`: ${[...all].join(', ')}`),
  )
  return ['\n## Values\n', ...lines]
}

function transitions(): string[] {
  return [
    '\n## States and what may follow them\n',
    ...ProjectStatus.enum.map((from) => `- project ${from} → ${movesOfProject(from).join(', ')}`),
    ...TaskStatus.enum.map((from) => `- task ${from} → ${movesOfTask(from).join(', ')}`),
    ...DealStage.enum.map((from) => `- deal ${from} → ${movesOfDeal(from).join(', ')}`),
    ...DocumentStatus.enum.map((from) => `- document ${from} → ${movesOfDocument(from).join(', ')}`),
    ...MemberStatus.enum.map((from) => `- member ${from} → ${movesOfMember(from).join(', ')}`),
  ]
}

function access(): string[] {
  const lines = scopes.map((scope) => `- ${scope}`)
  return ['\n## Scopes\n', '`write` and `delete` of something imply `read` of it.\n', ...lines]
}

function events(): string[] {
  return ['\n## Events\n', ...eventCatalogue.map(({ type, summary }) => `- ${type}: ${summary}`)]
}

/** The fields that have a list of allowed values, with these values; of a union, the fields of all its members. */
function allowedValuesIn(schema: SchemaNode): Map<string, Set<unknown>> {
  const found = new Map<string, Set<unknown>>()
  for (const { properties = {} } of partsOf(schema)) {
    for (const [name, property] of Object.entries(properties)) {
      const allowed = partsOf(property).flatMap((part) => part.enum ?? [])
      if (allowed.length > 0) found.set(name, new Set([...(found.get(name) ?? []), ...allowed]))
    }
  }
  return found
}

function partsOf(schema: SchemaNode): SchemaNode[] {
  const { anyOf = [] } = schema
  return [schema, ...anyOf.flatMap(partsOf)]
}
