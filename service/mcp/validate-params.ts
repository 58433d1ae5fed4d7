// The parameters that the methods of MCP need, validated before the SDK does it: its message is a dump of its schemas.
import { rpcCodes } from '#contract/json-rpc-errors.ts'
import { errorAnswer, type ErrorAnswer, type Message } from './json-rpc-messages.ts'

type Params = Readonly<Record<string, unknown>>
type Demand = { readonly name: string; readonly fits: (value: unknown) => boolean; readonly what: string }

const isText = (value: unknown): boolean => typeof value === 'string'
const isObject = (value: unknown): value is Params =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const names = (value: unknown): boolean => isObject(value) && isText(value['name']) && isText(value['version'])
const orNone = (fits: Demand['fits']) => (value: unknown) => value === undefined || fits(value)

const meta: Demand = { name: '_meta', fits: orNone(isObject), what: 'an object' }
const demands: Readonly<Record<string, readonly Demand[]>> = {
  initialize: [
    { name: 'protocolVersion', fits: isText, what: 'text' },
    { name: 'capabilities', fits: isObject, what: 'an object' },
    { name: 'clientInfo', fits: names, what: 'an object with the texts `name` and `version`' },
  ],
  'tools/list': [{ name: 'cursor', fits: orNone(isText), what: 'text' }],
  'tools/call': [
    { name: 'name', fits: isText, what: 'text' },
    { name: 'arguments', fits: orNone(isObject), what: 'an object' },
  ],
}

/** Returns the error response to invalid parameters; null where they are valid. */
export function paramsError({ id, method, params = {} }: Message): ErrorAnswer | null {
  const given = params as Params
  const flaw = [...(demands[method] ?? []), meta].find(({ name, fits }) => !fits(given[name]))
  return flaw === undefined
    ? null
    : errorAnswer(id ?? null, rpcCodes.invalidParams, `\`params.${flaw.name}\` must be ${flaw.what}.`)
}
