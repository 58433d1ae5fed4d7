// The tools that get one object.
import type { Operation } from '#contract/operation.ts'
import { answerOptions, assertFields, type AnswerOptions } from './answer-arguments.ts'
import { callOperation } from './call-operation.ts'
import { concise, type Fields } from './concise-fields.ts'
import { cutToFit } from './cut-fields.ts'
import { cutMembers, cutNote } from './cut-note.ts'
import type { Runner, ToolAnswer } from './runner.ts'
import { lines } from './text-rendering.ts'

type Got = { readonly get: Operation; readonly list: Operation }

export function getRunner({ get, list }: Got): Runner {
  return async (args, exchange) => {
    const { options, rest } = answerOptions(args)
    if (options.fields !== null) assertFields(list, options.fields)
    const { body } = await callOperation(get, rest, exchange)
    // What is got of a collection is an object.
    return objectAnswer(fieldsAsked(body as Fields, options), options.maxTokens)
  }
}

/** `id` and `version` are always among them, and what was expanded. */
export function fieldsAsked(object: Fields, { isFull, fields }: AnswerOptions): Fields {
  if (isFull) return object
  if (fields === null) return concise(object)
  const names = new Set(['id', 'version', ...fields])
  return Object.fromEntries(Object.entries(object).filter(([name]) => names.has(name)))
}

/** For what is around the fields. */
const frameTokens = 120

export function objectAnswer(whole: Fields, tokensMax: number): ToolAnswer {
  const { object, cut } = cutToFit(whole, tokensMax - frameTokens)
  const note = cutNote(cut)
  return {
    structured: { ...object, ...cutMembers(cut) },
    text: [lines(object), ...(note === '' ? [] : [note])].join('\n'),
  }
}
