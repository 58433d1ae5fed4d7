// What the four tools of every collection do.
import type { CollectionSegment } from '#contract/scopes.ts'
import { furtherFilters } from '#contract/tools/collection-tools.ts'
import { crmEntityCollection } from '#contract/tools/crm-entities.ts'
import { documentCollection } from '#contract/tools/documents.ts'
import { projectCollection } from '#contract/tools/projects.ts'
import { taskCollection } from '#contract/tools/tasks.ts'
import type { CollectionTools } from '#contract/tools/collection-tools.ts'
import { changeRunner } from './change-runner.ts'
import { getRunner } from './get-runner.ts'
import { listRunner } from './list-runner.ts'
import type { Runner } from './runner.ts'

type RunnersOf<S extends CollectionSegment> = Readonly<Record<`${S}.${'list' | 'get' | 'create' | 'update'}`, Runner>>

export const projectRunners = runnersOf('projects', projectCollection)
export const taskRunners = runnersOf('tasks', taskCollection)
export const crmEntityRunners = runnersOf('crm-entities', crmEntityCollection)
export const documentRunners = runnersOf('documents', documentCollection)

function runnersOf<S extends CollectionSegment>(segment: S, collection: CollectionTools): RunnersOf<S> {
  const { list, get, create, update } = collection.operations
  const runners = {
    [`${segment}.list`]: listRunner({ segment, list, furtherFilters: furtherFilters(collection) }),
    [`${segment}.get`]: getRunner({ get, list }),
    [`${segment}.create`]: changeRunner({ segment, operation: create, done: 'Created.' }),
    [`${segment}.update`]: changeRunner({ segment, operation: update, done: 'Changed.' }),
  }
  // The keys are those of RunnersOf, made from the same segment.
  return runners as RunnersOf<S>
}
