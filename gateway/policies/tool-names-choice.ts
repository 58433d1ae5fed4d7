// How are tools to be named for this caller? The address says so (`?toolNames=`), else a header, else the key: what is
// nearer to the call counts more. `auto`, wherever it is said, leaves it to the client.
import type { IncomingHttpHeaders } from 'node:http'
import { Fault } from '#contract/faults/fault.ts'
import { toolNamesChoices, type ToolNames } from '#contract/surface.ts'
import { toolNamesChoice, toolNamesHeader } from '#contract/tools/names.ts'
import { pairNames, takeParameter } from '../request/target.ts'
import type { Key } from './key.ts'

/**
 * `query`: without what named the workspace. It has no other parameter: one that is misspelt is refused, since its caller
 * would wait in vain for what it asks for. A header that cannot be read is left to the service, which refuses it.
 */
export function chosenToolNames(key: Pick<Key, 'toolNames'>, query: string, headers: IncomingHttpHeaders): ToolNames {
  const { value, rest } = takeParameter(query, 'toolNames')
  const [unknown] = pairNames(rest)
  if (unknown !== undefined) throw unknownParameter(unknown)
  const byAddress = value === undefined ? undefined : (toolNamesChoice(value) ?? refuse())
  return byAddress ?? toolNamesChoice([headers[toolNamesHeader]].flat()[0] ?? '') ?? key.toolNames
}

function unknownParameter(name: string): Fault {
  const parameter = name.slice(0, 40)
  const detail = 'Unknown parameter. This address takes `workspaceId` and `toolNames`.'
  return new Fault('unknown_parameter', `${parameter}: ${detail}`, { errors: [{ parameter, code: 'unknown', detail }] })
}

function refuse(): never {
  const [parameter, detail] = ['toolNames', 'Is not an allowed value.']
  const errors = [{ parameter, code: 'not_in_list' as const, detail, allowed: toolNamesChoices }]
  throw new Fault('invalid_parameter', `${parameter}: ${detail}`, { errors })
}
