// All resources of a workspace by their URI.
import { Fault, insufficientScope } from '#contract/faults/fault.ts'
import type { Resource } from '#contract/resources.ts'
import { customFields } from './custom-fields.ts'
import { glossary } from './glossary.ts'
import { labels } from './labels.ts'
import { members } from './members.ts'
import { overview } from './overview.ts'
import type { Reader, Source } from './source.ts'

const sources = [customFields, glossary, labels, members, overview].toSorted((a, b) => (a.uri < b.uri ? -1 : 1))

export const readable = ({ may }: Reader): Source[] => sources.filter(({ scope }) => scope === null || may(scope))

export function sourceAt(uri: string, { may }: Reader): Source {
  const source = sources.find((each) => each.uri === uri)
  if (source === undefined) throw new Fault('not_found', 'No resource has this uri.')
  const { scope } = source
  if (scope === null || may(scope)) return source
  throw insufficientScope(scope)
}

export async function render(source: Source, reader: Reader): Promise<Resource & { text: string }> {
  const { scope: _scope, write, ...described } = source
  const { text, updatedAt } = await write(reader)
  return {
    object: 'resource',
    ...described,
    size: Buffer.byteLength(text),
    updatedAt: updatedAt?.toISOString() ?? null,
    text,
  }
}
