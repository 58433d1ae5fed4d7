// Which runner does the work of which tool. A tool without one does not compile.
import type { ToolName } from '#contract/tools/tool.ts'
import { runChanges } from './changes.ts'
import { crmEntityRunners, documentRunners, projectRunners, taskRunners } from './collection-runners.ts'
import { runCommentsCreate, runCommentsList } from './comments.ts'
import { runBulk } from './objects-bulk.ts'
import { runCount } from './objects-count.ts'
import { runDelete } from './objects-delete.ts'
import { runRestore } from './objects-restore.ts'
import { runGetDocument, runUpdateDocument } from './document-runners.ts'
import type { Runner } from './runner.ts'
import { runSearch } from './search.ts'
import { runWhoami } from './whoami.ts'

export const runners: Readonly<Record<ToolName, Runner>> = {
  ...crmEntityRunners,
  ...documentRunners,
  'documents.get': runGetDocument,
  'documents.update': runUpdateDocument,
  ...projectRunners,
  ...taskRunners,
  'objects.bulk': runBulk,
  'objects.count': runCount,
  'objects.delete': runDelete,
  'objects.restore': runRestore,
  'comments.create': runCommentsCreate,
  'comments.list': runCommentsList,
  'changes.list': runChanges,
  'search.query': runSearch,
  whoami: runWhoami,
}
