// The prompts that a key is offered, and one of them with its facts.
import type { GetPromptResult, ListPromptsResult } from '@modelcontextprotocol/server'
import { Fault, insufficientScope } from '#contract/faults/fault.ts'
import { covers } from '#contract/scopes.ts'
import { invalidParameter } from '../../faults/shared-faults.ts'
import { shortened } from '../../text/json.ts'
import { didYouMean } from '../../validation/unknown-field.ts'
import type { Exchange } from '../tools/runner.ts'
import { accountBrief, meetingNotesToTasks, projectStatus, standup } from './product-prompts.ts'
import { isOffered, type Prompt } from './prompt.ts'

const prompts: readonly Prompt[] = [accountBrief, meetingNotesToTasks, projectStatus, standup]

export const listPrompts = (exchange: Exchange): ListPromptsResult => ({
  prompts: prompts
    .filter((prompt) => isOffered(prompt, exchange))
    .map(({ name, title, description, arguments: declared }) => ({
      name,
      title,
      description,
      arguments: declared.map(({ name: argument, title: label, description: about, required }) => ({
        name: argument,
        title: label,
        description: about,
        required,
      })),
    })),
})

type PromptArguments = Readonly<Record<string, string>>

/** Throws `invalid_parameter` by name, and `insufficient_scope`. */
export async function getPrompt(name: string, given: PromptArguments, exchange: Exchange): Promise<GetPromptResult> {
  const prompt = promptNamed(name, exchange)
  const args = Object.fromEntries(Object.entries(given).filter(([, value]) => value.trim() !== ''))
  assertArguments(prompt, args)
  return { description: prompt.description, messages: await prompt.messages(args, exchange, new Date()) }
}

/** Throws `invalid_parameter` where there is none, and `insufficient_scope` where it needs more than the key holds. */
export function promptNamed(name: string, exchange: Exchange): Prompt {
  const prompt = prompts.find((each) => each.name === name)
  if (prompt === undefined) {
    const known = prompts.filter((each) => isOffered(each, exchange)).map((each) => each.name)
    throw invalidParameter('name', 'unknown', `There is no prompt ${shortened(name)}.${didYouMean(name, known)}`)
  }
  const lacking = prompt.scopes.find((scope) => !covers(exchange.caller.principal.scopes, scope))
  if (lacking !== undefined) throw insufficientScope(lacking)
  if (isOffered(prompt, exchange)) return prompt
  throw new Fault('invalid_parameter', 'The header `x-mcp-readonly` excludes this prompt.')
}

function assertArguments({ arguments: declared }: Prompt, args: PromptArguments): void {
  const names = declared.map(({ name }) => name)
  for (const name of Object.keys(args)) {
    if (!names.includes(name))
      throw invalidParameter(shortened(name), 'unknown', `Unknown argument.${didYouMean(name, names)}`)
  }
  for (const { name, required, lengthMax } of declared) {
    const value = args[name]
    if (required && value === undefined) throw invalidParameter(name, 'required', 'Is required.')
    if (value !== undefined && value.length > lengthMax) {
      throw invalidParameter(name, 'too_long', `Must have at most ${lengthMax} characters.`)
    }
  }
}
