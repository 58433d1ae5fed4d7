// A refusal by an operation in the words of the tool: its fields are arguments there, some of them under another name.
import { Fault, type FieldError } from '#contract/faults/fault.ts'

type Rename = (name: string) => string

/** Throws what `call` throws; of a Fault, with the first step of each place renamed. */
export async function withArgumentNames<T>(rename: Rename, call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (thrown) {
    if (!(thrown instanceof Fault) || thrown.members.errors === undefined) throw thrown
    const errors = thrown.members.errors.map((error) => renamed(error, rename))
    throw new Fault(thrown.code, thrown.message, { ...thrown.members, errors }, thrown)
  }
}

function renamed({ pointer, parameter, ...error }: FieldError, rename: Rename): FieldError {
  const [first = '', ...rest] = (parameter ?? pointer?.slice(1) ?? '').split('/')
  return { ...error, parameter: [rename(first), ...rest].join('.') }
}
