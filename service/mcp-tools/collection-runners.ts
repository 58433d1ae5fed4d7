// What the tools of collections do.
import { operations } from '#contract/api.ts'
import type { Operation } from '#contract/operation.ts'
import type { CollectionSegment } from '#contract/scopes.ts'
import type { Arguments } from '#contract/tools/tool.ts'
import { callOperation } from './call-operation.ts'
import type { Runner } from './runner.ts'
import { lines, rows } from './text-rendering.ts'

type Fields = Readonly<Record<string, unknown>>
type RunnersOf<S extends CollectionSegment> = Readonly<Record<`${S}.${'list' | 'get' | 'create' | 'update'}`, Runner>>

export const projectRunners = runnersOf('projects')
export const taskRunners = runnersOf('tasks')
export const crmEntityRunners = runnersOf('crm-entities')
export const documentRunners = runnersOf('documents')

function runnersOf<S extends CollectionSegment>(segment: S): RunnersOf<S> {
  const of = (action: string) => operations.find(({ name }) => name === `${segment}.${action}`)!
  const runners = {
    [`${segment}.list`]: listRunner(of('list')),
    [`${segment}.get`]: getRunner(of('get')),
    [`${segment}.create`]: changeRunner(of('create')),
    [`${segment}.update`]: changeRunner(of('update')),
  }
  // The keys are those of RunnersOf, made from the same segment.
  return runners as RunnersOf<S>
}

function listRunner(operation: Operation): Runner {
  return async ({ filter, detail: _detail, maxTokens: _maxTokens, ...args }, exchange) => {
    const { body } = await callOperation(operation, { ...(filter as Arguments), ...args }, exchange)
    const { data, page } = body as { readonly data: readonly Fields[]; readonly page: Fields }
    return { structured: { data, page }, text: rows(data) }
  }
}

function getRunner(operation: Operation): Runner {
  return async ({ detail: _detail, maxTokens: _maxTokens, fields: _fields, ...args }, exchange) => {
    const { body } = await callOperation(operation, args, exchange)
    return { structured: body as Fields, text: lines(body as Fields) }
  }
}

function changeRunner(operation: Operation): Runner {
  return async ({ idempotencyKey, dryRun: _dryRun, ...args }, exchange) => {
    const options = typeof idempotencyKey === 'string' ? { idempotencyKey } : {}
    const { body } = await callOperation(operation, args, exchange, options)
    return { structured: body as Fields, text: lines(body as Fields) }
  }
}
