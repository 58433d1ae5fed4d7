// Tells a model on whose behalf it acts: workspace, member, key, scopes, limits, and which tools it does not see and
// why.
import { getMe, type Me } from '#contract/me.ts'
import { scopes, meaningOfScope } from '#contract/scopes.ts'
import { callOperation, type Exchange, type Runner } from './runner.ts'
import { hiddenTools, type Hidden } from './tool-list.ts'

export const runWhoami: Runner = async (_args, exchange) => {
  const { body } = await callOperation(getMe, {}, exchange)
  const workspace = workspaceOf(body, exchange)
  const { id, name, expiresAt, rotateBy, owner } = body.apiKey
  const key = { id, name, expiresAt, rotateBy }
  const hidden = hiddenTools(exchange.caller)
  const facts = { workspace, me: owner, key, scopes: body.scopes, rateLimit: body.rateLimit, hiddenTools: hidden }
  return { structured: facts, text: textOf(facts) }
}

function workspaceOf({ workspaces }: Me, { caller }: Exchange) {
  const found = workspaces.find(({ id }) => id === caller.principal.workspaceId)
  if (found === undefined) return null
  const { id, name, timeZone, defaultCurrency: currency } = found
  return { id, name, timeZone, currency, now: timeIn(timeZone, new Date()) }
}

/** As people there write it down: day of the week, date and time. */
const timeIn = (timeZone: string, at: Date): string => {
  const day = new Intl.DateTimeFormat('en-US', { timeZone, weekday: 'long' }).format(at)
  return `${day} ${new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' }).format(at)}`
}

type Facts = Pick<Me, 'scopes' | 'rateLimit'> & {
  readonly workspace: ReturnType<typeof workspaceOf>
  readonly me: Me['apiKey']['owner']
  readonly key: Pick<Me['apiKey'], 'id' | 'name' | 'expiresAt' | 'rotateBy'>
  readonly hiddenTools: readonly Hidden[]
}

function textOf({ workspace, me, key, scopes: held, rateLimit, hiddenTools: hidden }: Facts): string {
  const lines = [
    workspace === null
      ? 'Workspace: none is named.'
      : `Workspace: ${workspace.name} (${workspace.id}), ${workspace.timeZone}, ${workspace.currency}. There it is ${workspace.now}.`,
    me === null
      ? 'Me: the key has no owner, so `me` stands for no member.'
      : `Me: ${me.name} <${me.email}>, ${me.role}, member ${me.id}.`,
    `Key: ${key.name} (${key.id})${key.expiresAt === null ? '' : `, expires ${key.expiresAt}`}${key.rotateBy === null ? '' : `, to be rotated by ${key.rotateBy}`}.`,
    'Scopes:',
    ...scopes.filter((scope) => held.includes(scope)).map((scope) => `- ${scope}: ${meaningOfScope(scope)}`),
    ...(rateLimit === null
      ? []
      : [
          `Rate limit: ${rateLimit.remaining} of ${rateLimit.burst} calls at once left, full in ${rateLimit.resetSeconds} s; ${rateLimit.limit} a minute.`,
        ]),
    hidden.length === 0 ? 'No tools are hidden.' : 'Hidden tools:',
    ...hidden.map(({ tools, reason }) => `- ${tools.join(', ')}: ${reason}`),
  ]
  return lines.join('\n')
}
