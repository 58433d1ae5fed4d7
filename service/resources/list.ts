import type { Resource, listResources } from '#contract/resources.ts'
import type { Handler } from '../execution/handler.ts'
import type { Pager } from '../lists/cursor-pagination.ts'
import { readable, render } from './catalogue.ts'
import { readerOf } from './source.ts'

export const list =
  (pager: Pager): Handler<typeof listResources> =>
  async (input, call) => {
    const reader = readerOf(call)
    const paging = pager.open('resources.list', call.workspaceId, input, 'uri')
    const { limit, after } = paging
    const sources = readable(reader)
      .filter(({ uri }) => after === null || uri > after.id)
      .slice(0, limit + 1)
    const rows = []
    // The size is that of the text, so the text is written.
    for (const source of sources) rows.push({ id: source.uri, ...(await render(source, reader)) })
    return pager.page(rows, paging, ({ uri }) => uri, show)
  }

const show = ({ id: _id, text: _text, ...resource }: Resource & { id: string; text: string }): Resource => resource
