// Which runner does the work of which tool. A tool without one does not compile.
import type { ToolName } from '#contract/tools/tool.ts'
import { crmEntityRunners, documentRunners, projectRunners, taskRunners } from './collection-runners.ts'
import type { Runner } from './runner.ts'
import { runSearch } from './search.ts'

export const runners: Readonly<Record<ToolName, Runner>> = {
  ...crmEntityRunners,
  ...documentRunners,
  ...projectRunners,
  ...taskRunners,
  'search.query': runSearch,
}
