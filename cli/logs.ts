// `logs tail`: the API log of a workspace as it grows, a line for each call.
import { callsSettleMs, listRequests, type LoggedRequest } from '#contract/api-calls.ts'
import { pause } from '#clients/typescript/src/send.ts'
import { ApiError } from '#clients/typescript/src/errors.ts'
import { callOptions } from './access.ts'
import { withoutControls } from './answers.ts'
import { exitCodes } from './arguments.ts'
import type { Command, Console, ParsedArguments } from './command.ts'
import { sendWith } from './patient-calls.ts'

const lookAgainMs = 2_000
const lookAgainMsMax = 30_000
/** So many of the calls before are shown first. */
const shownBefore = 10
const pageItems = 100

export const logsTail: Command = {
  name: 'logs tail',
  summary: 'Follow the API log',
  description: `Shows each request of the workspace's keys on a line, a few seconds after its end: time, status, method and path, operation, key, milliseconds, and why it was rejected. It begins with the last ${shownBefore}, and takes the filters of \`requests.list\`. It continues until Ctrl-C. The key needs requests:read.`,
  operation: () => listRequests,
  ownFields: ['limit', 'cursor', 'afterId'],
  audiences: ['api', 'settings'],
  examples: ['logs tail', 'logs tail --status 4xx,5xx', 'logs tail --outcome refused --json'],
  run: tail,
}

type Page = { readonly data: readonly LoggedRequest[]; readonly page: { readonly nextCursor: string | null } }

async function tail({ input, workspaceId, json }: ParsedArguments, console: Console): Promise<number> {
  const signal = console.stopped()
  const send = sendWith(callOptions(console.access(), workspaceId, console.userAgent), console.note)
  const list = async (more: object): Promise<Page> =>
    (await send(listRequests.name, { ...input, ...more }, { signal })) as Page
  const say = (call: LoggedRequest): unknown => console.say(json ? `${JSON.stringify(call)}\n` : `${lineOf(call)}\n`)
  try {
    const { data } = await list({ limit: shownBefore })
    // What is too new may still be overtaken: it is read again by following.
    const settled = data.filter(({ at }) => Date.parse(at) < Date.now() - callsSettleMs).toReversed()
    for (const call of settled) say(call)
    await follow(list, settled.at(-1)?.id ?? null, say, signal)
  } catch (error) {
    if (!signal.aborted) throw error
  }
  return exitCodes.success
}

/** `last`: the id of the last call that was said; null as long as there is none. Ends with an error alone. */
async function follow(
  list: (more: object) => Promise<Page>,
  last: string | null,
  say: (call: LoggedRequest) => unknown,
  signal: AbortSignal,
): Promise<never> {
  const startedAt = new Date(Date.now() - callsSettleMs * 2).toISOString()
  let afterId = last
  let cursor: string | null = null
  let failures = 0
  for (;;) {
    const from = afterId === null ? { createdAfter: startedAt } : { afterId }
    try {
      const { data, page }: Page = await list({ ...from, limit: pageItems, ...(cursor !== null && { cursor }) })
      failures = 0
      for (const call of afterId === null ? data.toReversed() : data) say(call)
      const newest = afterId === null ? data[0] : data.at(-1)
      cursor = newest === undefined && afterId !== null ? page.nextCursor : null
      afterId = newest?.id ?? afterId
      if (page.nextCursor === null) await pause(lookAgainMs, signal)
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof ApiError && error.status < 500 && error.status !== 429) throw error
      failures += 1
      await pause(Math.min(lookAgainMs * 2 ** failures, lookAgainMsMax), signal)
    }
  }
}

export function lineOf({
  at,
  status,
  method,
  path,
  operation,
  apiKeyPrefix,
  ms,
  code,
  detail,
  leftOut,
}: LoggedRequest): string {
  const said = [
    ...(code === null ? [] : [`${code}: ${detail ?? ''}`]),
    ...(leftOut === 0 ? [] : [`and ${leftOut} like it before`]),
  ]
  const parts = [
    at,
    String(status),
    `${method} ${path}`,
    operation,
    apiKeyPrefix ?? '-',
    `${Math.round(ms)} ms`,
    ...said,
  ]
  return withoutControls(parts.join('  '))
}
