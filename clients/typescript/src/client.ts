// The client: a method for every call that a key may make, from the table of operations.
import type { Calls, Operations } from './api.ts'
import { batchAll, type BatchOptions } from './batch.ts'
import { followEvents, type FollowOptions } from './feed.ts'
import { operations, type OperationName } from './operations.ts'
import { List, type Page } from './pages.ts'
import { placeOf, sender, type CallOptions, type ClientOptions, type Sender, type UploadBody } from './send.ts'

export type Client = Calls & {
  /** Any call by its name: `call('tasks.get', { id })`. A list answers one page. */
  call<N extends OperationName & keyof Operations>(
    name: N,
    input: Operations[N]['input'],
    options?: CallOptions,
  ): Promise<Operations[N]['answer']>
}

export function createClient(options: ClientOptions): Client {
  const parts = sender(options)
  const groups: Record<string, Record<string, unknown>> = {}
  for (const name of Object.keys(operations) as OperationName[]) {
    const [group = '', method = ''] = name.split('.')
    const ofGroup = (groups[camel(group)] ??= {})
    ofGroup[camel(method)] = methodOf(name, parts)
    if (method === 'batch')
      ofGroup['batchAll'] = (items: Iterable<object>, how?: BatchOptions) => batchAll(parts, group, items, how)
  }
  groups['events']!['follow'] = (how?: FollowOptions) => followEvents(parts.send, how)
  // The table and the types are written from the same contract.
  return { ...groups, call: parts.send } as unknown as Client
}

function methodOf(name: OperationName, { send }: Sender) {
  const { marks } = placeOf(name)
  if (marks.includes('page'))
    return (input: { cursor?: string } = {}, options?: CallOptions) =>
      new List((cursor) => send(name, { ...input, cursor }, options) as Promise<Page<unknown>>, input.cursor)
  if (marks.includes('upload'))
    return (input: object, body: UploadBody, options?: CallOptions) => send(name, input, options, body)
  return (input: object = {}, options?: CallOptions) => send(name, input, options)
}

const camel = (name: string): string => name.replace(/-(\w)/g, (_match, letter: string) => letter.toUpperCase())
