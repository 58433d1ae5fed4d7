// A form that calls one operation: its values, what is wrong with them by the operation's schema and by the answer, and
// the way to send it. The first field that is wrong gets the focus. What was typed and not sent is not left unasked.
import { useRef, useState, type FormEvent, type RefObject } from 'react'
import type { SchemaNode } from '#contract/json-schema.ts'
import { ApiError } from '#clients/typescript/src/errors.ts'
import type { Failure } from '../ui/failure.ts'
import { mistakesIn, mistakesOf, type FormValues, type Mistakes } from '../ui/form-mistakes.ts'
import { failureOf } from './failure.ts'
import { useLeaveGuard } from './leaving.tsx'
import { texts } from './texts.tsx'

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
  /** False for what nobody misses, such as a password that is typed to sign in. */
  readonly isKept?: boolean
  /** Resolves with false where nothing was saved. */
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
  isKept = true,
  send,
}: Options<Values>): Form<Values> {
  const { values, change, saving } = useTyped(initial, isKept)
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
      await saving(() => send(values))
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
  function set(given: Partial<Values>): void {
    change(given)
    const rest = Object.entries(mistakes).filter(([name]) => !(name in given))
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

/** What was typed, which is not left unasked while it is not saved. */
function useTyped<Values extends FormValues>(initial: Values, isKept: boolean) {
  const [values, setValues] = useState(initial)
  const latest = useRef(values)
  /** What is there, as far as this form knows. */
  const saved = useRef(values)
  const isSaving = useRef(false)
  useLeaveGuard(unsaved, () => isKept && !isSaving.current && !isSameForm(saved.current, latest.current))
  return {
    values,
    change(given: Partial<Values>): void {
      latest.current = { ...latest.current, ...given }
      setValues(latest.current)
    },
    /** `save` may lead to another page, and empty the form. */
    async saving(save: () => Promise<unknown>): Promise<void> {
      isSaving.current = true
      try {
        if ((await save()) !== false) saved.current = latest.current
      } finally {
        isSaving.current = false
      }
    },
  }
}

const unsaved = {
  title: texts.leaveWithoutSaving,
  text: texts.yourChangesOnThisPage,
  leave: texts.discardChanges,
}

/** Values are text, numbers, switches, lists and sets of them. */
const isSameForm = (one: FormValues, other: FormValues): boolean => textOf(one) === textOf(other)
const textOf = (values: FormValues): string =>
  JSON.stringify(values, (_name, value: unknown) =>
    value instanceof Set ? [...value].map(String).toSorted((one, other) => (one < other ? -1 : 1)) : value,
  )
