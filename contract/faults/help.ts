// The meaning of each fault code and what to do about it, for the pages that the `type` of a problem leads to. A code
// without help does not compile.
import { Fault, type FaultCode, type FieldCode } from './fault.ts'
import { problem, type Problem } from './problem-details.ts'
import { requestFaults } from './help-requests.ts'
import { keyFaults } from './help-keys.ts'
import { objectFaults } from './help-objects.ts'
import { serviceFaults } from './help-service.ts'
import { signInFaults } from './help-sign-in.ts'
import type { Help } from './help-entry.ts'
import { exampleId } from '../example-values.ts'

const help: Readonly<Record<FaultCode, Help>> = {
  ...requestFaults,
  ...keyFaults,
  ...signInFaults,
  ...objectFaults,
  ...serviceFaults,
}

export const meaningOfFault = (code: FaultCode): string => help[code].meaning
export const adviceOn = (code: FaultCode): string => help[code].advice

/** A problem with this code as it would be answered. */
export function exampleProblem(code: FaultCode): Omit<Problem, 'instance'> {
  const { detail, members, instance } = help[code].example
  const whole = problem(new Fault(code, detail, members), exampleId('requestId'), instance)
  if (instance !== '') return whole
  const { instance: _unknown, ...withoutInstance } = whole
  return withoutInstance
}

/** What the codes in the list `errors` of a problem mean. */
export const fieldMeanings: Readonly<Record<FieldCode, string>> = {
  required: 'The value is missing.',
  too_short: 'The text or the list is too short.',
  too_long: 'The text or the list is too long.',
  too_small: 'The number or the time is below the minimum.',
  too_large: 'The number or the time is above the maximum.',
  wrong_type: 'The value has the wrong JSON type.',
  wrong_format: 'The text does not have the required form, such as that of a date.',
  not_in_list: 'The value is not one of those in `allowed`.',
  not_unique: 'The value occurs more than once and must be unique.',
  unknown: 'There is no field or parameter with this name.',
  read_only: 'The field exists, but cannot be set.',
  not_found: 'The value names an object that does not exist in the workspace.',
}
