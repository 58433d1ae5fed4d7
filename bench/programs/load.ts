// The load: requests in a cycle over kept-alive connections, one request at a time on each connection. Any answer but
// the expected one ends it. Where there are more targets than it gets to, each run begins at another.
import { randomInt } from 'node:crypto'
import { Pool, type Dispatcher } from 'undici'
import { letters } from '../measure/random-letters.ts'
import { loop, type Looped } from '../measure/loop.ts'
import { readPlan, report } from '../measure/plan.ts'
import { headersOf, type Sender } from '../product/principal.ts'

export type Target = Sender & {
  readonly method: 'GET' | 'POST'
  readonly path: string
  /** `{letters}` stands for twelve random capitals. */
  readonly body?: string
}
export type Plan = {
  readonly url: string
  readonly targets: readonly Target[]
  readonly expect: number
  readonly connections: number
  readonly seconds: number
  /** Ends it sooner. */
  readonly count?: number
}
export type Result = Looped

const lettersEach = 12
const { url, targets, expect, connections, ...bounds } = readPlan() as Plan
const pool = new Pool(url, { connections, pipelining: 1 })
let turn = randomInt(targets.length)

report((await loop({ concurrency: connections, ...bounds }, next)) satisfies Result)
await pool.close()

function next(): Promise<void> {
  const target = targets[turn++ % targets.length]
  if (target === undefined) throw new Error('There is nothing to ask for')
  const { method, path, body } = target
  const headers = headersOf(target, method, path)
  return answer({ method, path, headers, body: body?.replace('{letters}', letters(lettersEach)) ?? null })
}

// The dispatcher's own interface: no stream is made for an answer that is only counted, which leaves more of the core
// to the load.
function answer(options: Dispatcher.DispatchOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    let status = 0
    let text = ''
    pool.dispatch(options, {
      // The client knows a handler of today's form by this one.
      onRequestStart: () => {},
      onResponseStart: (_controller, statusCode) => void (status = statusCode),
      onResponseData: (_controller, chunk) => {
        if (status !== expect) text += chunk.toString()
      },
      onResponseEnd: () =>
        status === expect
          ? resolve()
          : reject(new Error(`${options.method} ${options.path} answered ${status} ${text}`)),
      onResponseError: (_controller, error) => reject(error),
    })
  })
}
