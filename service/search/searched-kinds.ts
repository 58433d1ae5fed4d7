// What can be searched, and how a hit of each kind is shown: SQL over what the collection selects from.
import type { SearchedSegment } from '#contract/search.ts'
import type { Prisma } from '#prisma/generated/client.ts'
import { crmEntities } from '../crm-entities/collection.ts'
import { documents } from '../documents/collection.ts'
import { projects } from '../projects/collection.ts'
import { tasks } from '../tasks/collection.ts'
import type { Searched } from '../lists/search-terms.ts'

type Kind = {
  readonly collection: Searched & { readonly from: Prisma.Sql }
  readonly identifier: string
  readonly kind: string
  readonly status: string
  readonly archived: string
}

const none = 'NULL::text'

export const kinds: Readonly<Record<SearchedSegment, Kind>> = {
  projects: {
    ...{ collection: projects, identifier: 't.key', kind: none, status: 't.status' },
    archived: 't.archived_at IS NOT NULL',
  },
  tasks: {
    ...{ collection: tasks, identifier: 't.identifier', kind: none, status: 't.status', archived: 'FALSE' },
  },
  'crm-entities': { collection: crmEntities, identifier: none, kind: 't.kind', status: 't.stage', archived: 'FALSE' },
  documents: {
    ...{ collection: documents, identifier: none, kind: none, status: 't.status' },
    archived: `t.status = 'archived'`,
  },
}
