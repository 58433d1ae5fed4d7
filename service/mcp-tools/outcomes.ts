// What became of each object or item of a call that works on many, as one line each.
import { adviceOn } from '#contract/faults/help.ts'
import type { FaultCode, FieldError } from '#contract/faults/fault.ts'
import { maxTokensDefault } from '#contract/tools/tool.ts'
import type { ToolAnswer } from './runner.ts'
import { fits } from './token-estimate.ts'

export type Outcome = {
  readonly index: number
  /** As the call named it, or as the answer does. */
  readonly id?: string
  /** The caller's own id of an object, where the outcome has no other. */
  readonly externalSource?: string
  readonly externalId?: string
  readonly action?: string
  readonly identifier?: string
  readonly ok: boolean
  readonly name?: string
  readonly version?: number
  readonly code?: string
  readonly detail?: string
}

const errorsMax = 3
/** Characters of a detail: the more are refused, the less is said of each, so that all fit into the answer. */
const detailLengths = [400, 200, 100, 50]

function withFittingDetails(outcomes: readonly Outcome[]): readonly Outcome[] {
  const versions = detailLengths.map((length) => outcomes.map((each) => withDetail(each, length)))
  return versions.find((each) => fits(JSON.stringify(each), maxTokensDefault)) ?? versions.at(-1) ?? outcomes
}

const withDetail = (outcome: Outcome, length: number): Outcome =>
  outcome.detail === undefined || outcome.detail.length <= length
    ? outcome
    : { ...outcome, detail: `${outcome.detail.slice(0, length - 1).toWellFormed()}…` }

type Refusal = { readonly code: FaultCode; readonly detail: string; readonly errors?: readonly FieldError[] }

const done: Readonly<Record<string, string>> = {
  create: 'created',
  update: 'updated',
  upsert: 'created or updated',
  delete: 'deleted',
  restore: 'restored',
}

/** `action`: of all outcomes that do not name one. */
export function outcomesAnswer(all: readonly Outcome[], action: string, isDryRun: boolean): ToolAnswer {
  const outcomes = withFittingDetails(all)
  const count = outcomes.filter(({ ok }) => ok).length
  const refused = outcomes.length - count
  const head = `${isDryRun ? 'Dry run, nothing is changed: would be done' : 'Done'}: ${count}. Refused: ${refused}.`
  return {
    structured: { ...(isDryRun && { dryRun: true }), done: count, refused, outcomes },
    text: [head, ...outcomes.map((each) => line(each, each.action ?? action, isDryRun))].join('\n'),
    ...(count === 0 && { isError: true }),
  }
}

function line({ index, ok, code, detail, version, ...named }: Outcome, action: string, isDryRun: boolean): string {
  const ownId = named.externalId === undefined ? undefined : `${named.externalSource ?? ''}/${named.externalId}`
  const what = [
    named.identifier ?? named.id ?? ownId,
    named.name === undefined ? undefined : JSON.stringify(named.name),
  ]
  const object = what.filter((part) => part !== undefined).join(' ')
  if (!ok) return `- ${index} ${object === '' ? action : `${action} ${object}`}: ${code}: ${detail}`
  const verb = `${isDryRun ? 'would be ' : ''}${done[action] ?? action}`
  return `- ${index} ${verb}: ${object}${version === undefined ? '' : `, version ${version}`}`
}

/** What a model needs of a refusal: what was wrong, and what to change. */
export function refusedBecause({ code, detail, errors = [] }: Refusal): Pick<Outcome, 'ok' | 'code' | 'detail'> {
  // What is wrong with it by itself would lead a model astray: the detail names the item to correct.
  if (code === 'depends_on_failed') return { ok: false, code, detail: `${detail} ${adviceOn(code)}` }
  const wrong = errors.slice(0, errorsMax).map((error) => `\`${placeOf(error)}\`: ${error.detail}${allowed(error)}`)
  return { ok: false, code, detail: (wrong.length > 0 ? wrong : [detail, adviceOn(code)]).join(' ') }
}

const allowed = ({ allowed: values }: FieldError): string =>
  values === undefined ? '' : ` Allowed: ${values.join(', ')}.`

/** `/items/3/data/status` is `data.status` of the item that the line is about. */
const placeOf = ({ pointer, parameter = '' }: FieldError): string =>
  pointer === undefined ? parameter : pointer.replace(/^\/(items\/\d+\/?)?/, '').replaceAll('/', '.')
