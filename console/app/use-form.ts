// A form that calls one operation: its values, what is wrong with them by the operation's schema and by the answer, and
// the way to send it. The first field that is wrong gets the focus.
import { useRef, useState, type FormEvent, type RefObject } from 'react'
import type { SchemaNode } from '#contract/json-schema.ts'
import { ApiError } from '#clients/typescript/src/errors.ts'
import type { Failure } from '../ui/failure.ts'
import { mistakesIn, mistakesOf, type FormValues, type Mistakes } from '../ui/form-mistakes.ts'
import { failureOf } from './failure.ts'

export type Form<Values extends FormValues> = {
  readonly values: Values
  readonly mistakes: Mistakes
  /** An error that belongs to no single field. */
  readonly failure: Failure | null
  readonly isBusy: boolean
  readonly ref: RefObject<HTMLFormElement | null>
  set(change: Partial<Values>): void
  /** The props of a text control. */
  field(name: TextName<Values>): TextOf
  send(): void
  /** For a form's `onSubmit`. */
  submit(event: FormEvent): void
}

type Options<Values> = {
  readonly initial: Values
  readonly schema: SchemaNode
  /** The input to check against the schema, for forms whose values are not the operation's input. */
  readonly inputOf?: (values: Values) => FormValues
  /** Checks that no schema can express. */
  readonly check?: (values: Values) => Mistakes
  send(values: Values): Promise<unknown>
}

/** Values that may be any text. */
type TextName<Values> = { [N in keyof Values]: string extends Values[N] ? N : never }[keyof Values] & string
type TextOf = {
  readonly value: string
  readonly mistake: string | undefined
  onValue(value: string): void
}

export function useForm<Values extends FormValues>({
  initial,
  schema,
  inputOf,
  check,
  send,
}: Options<Values>): Form<Values> {
  const [values, setValues] = useState(initial)
  const [mistakes, setMistakes] = useState<Mistakes>({})
  const [failure, setFailure] = useState<Failure | null>(null)
  const [isBusy, setBusy] = useState(false)
  const ref = useRef<HTMLFormElement>(null)

  function show(found: Mistakes, failed: Failure | null): void {
    setMistakes(found)
    setFailure(failed)
    // Once they are drawn.
    setTimeout(() => ref.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus())
  }
  async function sendChecked(): Promise<void> {
    const found = { ...mistakesIn(schema, inputOf?.(values) ?? values), ...check?.(values) }
    if (Object.keys(found).length > 0) return show(found, null)
    setBusy(true)
    setFailure(null)
    try {
      await send(values)
    } catch (error) {
      const refused = error instanceof ApiError ? mistakesOf(error.problem) : {}
      const isShown = Object.keys(refused).length > 0 && Object.keys(refused).every((name) => name in values)
      show(refused, isShown ? null : failureOf(error))
    } finally {
      setBusy(false)
    }
  }
  const start = (): void => {
    if (!isBusy) void sendChecked()
  }
  function set(change: Partial<Values>): void {
    setValues((before) => ({ ...before, ...change }))
    const rest = Object.entries(mistakes).filter(([name]) => !(name in change))
    setMistakes(Object.fromEntries(rest))
  }
  return {
    ...{ values, mistakes, failure, isBusy, ref, set },
    field: (name) => ({
      // By its name's type it is text, and any text.
      value: values[name] as string,
      mistake: mistakes[name],
      onValue: (value) => set({ [name]: value } as Partial<Values>),
    }),
    send: start,
    submit(event) {
      event.preventDefault()
      start()
    },
  }
}
