// What the form of the key policy asks the API for, and what is said of its answer.
import { expect, test } from 'vitest'
import { policyRules, type ApiPolicy, policyGraceHoursMax } from '#contract/key-policy.ts'
import {
  formOf,
  graces,
  policyInput,
  policyMistakes,
  type PolicyForm,
} from '../../../console/pages/policy/policy-form.ts'
import { fromWhen, headlineOf, rules } from '../../../console/pages/policy/rule-words.ts'

const policy: ApiPolicy = { allowUnboundKeys: true, requireIpAllowlist: false, requireExpiry: true, maxKeyAgeDays: 90 }
const asked = (change: Partial<PolicyForm>) => policyInput('w', { ...formOf(policy), grace: '24', ...change }, policy)

test('the page has each rule, in the order in which keys are refused by them', () => {
  expect(rules).toEqual(policyRules)
})

test('only the rules that were changed are sent, so that the grace of the others goes on', () => {
  expect(asked({})).toEqual({ id: 'w', apiPolicy: {} })
  expect(asked({ requireIpAllowlist: true }).apiPolicy).toEqual({ requireIpAllowlist: true })
  expect(asked({ onlyBound: true, maxKeyAge: '' }).apiPolicy).toEqual({ allowUnboundKeys: false, maxKeyAgeDays: null })
})

test.each<[Partial<PolicyForm>, number | undefined]>([
  [{ onlyBound: true }, 24],
  [{ requireIpAllowlist: true }, 24],
  [{ maxKeyAge: '89' }, 24],
  [{ maxKeyAge: '91' }, undefined],
  [{ maxKeyAge: '' }, undefined],
  [{ requireExpiry: false }, undefined],
  [{ requireExpiry: false, maxKeyAge: '1', grace: '0' }, 0],
])('a grace goes with a policy that demands more: %o', (change, hours) => {
  expect(asked(change)).toHaveProperty('apiPolicy')
  expect('policyGraceHours' in asked(change) ? asked(change).policyGraceHours : undefined).toBe(hours)
})

test('a first limit of age is tighter than none', () => {
  const none = { ...policy, maxKeyAgeDays: null }

  const { policyGraceHours } = policyInput('w', { ...formOf(none), maxKeyAge: '365', grace: '72' }, none)
  expect(policyGraceHours).toBe(72)
})

test('an age is a number of days from 1 to 365, or is left out', () => {
  const typed = ['0', '366', '1.5', '-1', 'x', '1000', '', '1', '365']
  const wrong = typed.filter((maxKeyAge) => 'maxKeyAge' in policyMistakes({ ...formOf(policy), maxKeyAge }))

  expect(wrong).toEqual(['0', '366', '1.5', '-1', 'x', '1000'])
})

test('no grace that is offered is longer than the API takes', () => {
  expect(Math.max(...graces.map(({ value }) => Number(value)))).toBe(policyGraceHoursMax)
  expect(graces.map(({ value }) => value)).toContain(formOf(policy).grace)
})

test('the headline says how many keys, and how many of them are refused already', () => {
  const [already, still] = [{ refused: true }, { refused: false }]

  expect(headlineOf(1, [still], true)).toBe('This change affects 1 key')
  expect(headlineOf(3, [already, still, already], true)).toBe('This change affects 3 keys. Already denied: 2')
  expect(headlineOf(2, [already, already], false)).toBe('This policy affects 2 keys')
})

test('it is said from when keys are denied: at once, from a day on, or some before others', () => {
  const [over, soon, later] = ['2020-01-01T00:00:00.000Z', '2999-01-02T12:00:00.000Z', '2999-02-03T12:00:00.000Z']
  const stopped = (...all: string[]) => all.map((from) => ({ refused: false, from }))

  expect(fromWhen(stopped(over))).toBe('immediately')
  expect(fromWhen([{ refused: true, from: soon }])).toBe('immediately')
  expect(fromWhen(stopped(soon, soon))).toBe('from 2 Jan 2999')
  expect(fromWhen(stopped(later, soon))).toBe('from the dates listed below (the first on 2 Jan 2999)')
  expect(fromWhen(stopped(over, later))).toBe('from the dates listed below (some immediately, the last on 3 Feb 2999)')
})
