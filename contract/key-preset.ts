// Sets of scopes for the usual purposes. A key that is made with a preset gets the scopes that the preset has at that
// moment: a preset that changes later changes no key.
import { collectionSegments, type Scope } from './scopes.ts'

type Preset = { readonly meaning: string; readonly scopes: readonly Scope[] }

/** Without `files:release`, which is for virus scanners alone. */
const content = [...collectionSegments, 'files'] as const
const readContent = content.map((segment) => `${segment}:read` as const)
const writeContent = content.map((segment) => `${segment}:write` as const)
const deleteContent = content.map((segment) => `${segment}:delete` as const)
const readAround = ['workspaces:read', 'members:read', 'resources:read', 'events:read'] as const

const presets = {
  'read-only': {
    meaning: 'Sees all content and follows its changes. Changes nothing, and sees neither the audit log nor webhooks.',
    scopes: [...readContent, ...readAround],
  },
  sync: {
    meaning:
      'Keeps content and a copy elsewhere in sync, deletions included, by jobs as well, and rotates its own secret.',
    scopes: [
      ...readContent,
      ...writeContent,
      ...deleteContent,
      ...readAround,
      ...(['jobs:read', 'jobs:write', 'api-keys:rotate-self'] as const),
    ],
  },
  agent: {
    meaning: 'Reads, creates and changes content as an assistant does. Deletes nothing.',
    scopes: [...readContent, ...writeContent, ...readAround],
  },
  webhooks: {
    meaning: 'Creates webhooks for changes of content and members, monitors their deliveries and resends them.',
    scopes: [
      ...readContent,
      ...(['members:read', 'events:read', 'webhooks:read', 'webhooks:write'] as const),
      ...(['deliveries:read', 'deliveries:replay'] as const),
    ],
  },
} as const satisfies Record<string, Preset>

export type PresetName = keyof typeof presets
export const presetNames = Object.keys(presets) as PresetName[]
export const presetNamed = (name: PresetName): Preset => presets[name]
