// The operations on resources: texts that a workspace has about itself, each at a URI.
import { insufficientScope, Fault } from '#contract/faults/fault.ts'
import type { Resource, listResources, readResource } from '#contract/resources.ts'
import { rowsFor, type Pager } from '../collection/pagination.ts'
import type { Handlers, Handler } from '../execution/call.ts'
import { glossary } from './glossary.ts'
import { readerOf, customFields, labels, members, overview, type Reader, type Source } from './sources.ts'

type ResourceDeps = { readonly pager: Pager }

export const resourceHandlers = ({ pager }: ResourceDeps) =>
  ({
    'resources.list': list(pager),
    'resources.read': read,
  }) satisfies Partial<Handlers>

const list =
  (pager: Pager): Handler<typeof listResources> =>
  async (input, call) => {
    const reader = readerOf(call)
    const paging = pager.open('resources.list', call.workspaceId, input, 'uri')
    const { limit, after } = paging
    const sources = readable(reader)
      .filter(({ uri }) => after === null || uri > after.id)
      .slice(0, rowsFor(limit))
    const rows = []
    // The size is that of the text, so the text is written.
    for (const source of sources) rows.push({ id: source.uri, ...(await render(source, reader)) })
    return pager.page(rows, paging, ({ uri }) => uri, show)
  }

const show = ({ id: _id, text: _text, ...resource }: Resource & { id: string; text: string }): Resource => resource

const read: Handler<typeof readResource> = ({ uri }, call) => {
  const reader = readerOf(call)
  return render(sourceAt(uri, reader), reader)
}

const sources = [customFields, glossary, labels, members, overview].toSorted((a, b) => (a.uri < b.uri ? -1 : 1))

const readable = ({ may }: Reader): Source[] => sources.filter(({ scope }) => scope === null || may(scope))

function sourceAt(uri: string, { may }: Reader): Source {
  const source = sources.find((each) => each.uri === uri)
  if (source === undefined) throw new Fault('not_found', 'No resource has this URI.')
  const { scope } = source
  if (scope === null || may(scope)) return source
  throw insufficientScope(scope)
}

async function render(source: Source, reader: Reader): Promise<Resource & { text: string }> {
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
