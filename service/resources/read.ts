import type { readResource } from '#contract/resources.ts'
import type { Handler } from '../execution/handler.ts'
import { render, sourceAt } from './catalogue.ts'
import { readerOf } from './source.ts'

export const read: Handler<typeof readResource> = ({ uri }, call) => {
  const reader = readerOf(call)
  return render(sourceAt(uri, reader), reader)
}
