// The rules as they are set, each with how many keys it would stop.
import type { ReactNode } from 'react'
import type { ApiPolicyFrom, PolicyRule } from '#contract/key-policy.ts'
import type { Form } from '../../app/use-form.ts'
import { Badge } from '../../ui/badge.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { TextField } from '../../ui/field.tsx'
import { dayText } from '../../ui/moment-text.ts'
import type { PolicyForm } from './policy-form.ts'
import css from './policy.module.css'
import { Rule, Rules } from './rule.tsx'
import { isToCome, rules, ruleWords, stopsText } from './rule-words.ts'
import type { Preview } from './use-preview.ts'
import { texts } from './texts.ts'

type Part = { readonly form: Form<PolicyForm> }

const fieldOf = {
  allowUnboundKeys: 'onlyBound',
  requireIpAllowlist: 'requireIpAllowlist',
  requireExpiry: 'requireExpiry',
} as const

export const RuleFields = ({
  form,
  from,
  preview,
}: Part & { readonly from: ApiPolicyFrom; readonly preview: Preview }): ReactNode => (
  <Rules>
    {rules.map((rule) => (
      <Rule
        key={rule}
        rule={rule}
        control={rule === 'maxKeyAgeDays' ? <MaximumAge form={form} /> : <Demand form={form} rule={rule} />}
        aside={<Effect isOn={isOn(form.values, rule)} rule={rule} from={graceEnd(from[rule])} preview={preview} />}
      />
    ))}
  </Rules>
)

const Demand = ({ form: { values, set }, rule }: Part & { readonly rule: keyof typeof fieldOf }): ReactNode => (
  <Checkbox
    label={<span className={css.title}>{ruleWords[rule].title}</span>}
    hint={ruleWords[rule].about}
    isChecked={values[fieldOf[rule]]}
    onChecked={(isChecked) => set({ [fieldOf[rule]]: isChecked })}
  />
)

const MaximumAge = ({ form: { values, mistakes, set } }: Part): ReactNode => (
  <div className={css.indented}>
    <p className={css.title}>{ruleWords.maxKeyAgeDays.title}</p>
    <p className={css.about}>{ruleWords.maxKeyAgeDays.about}</p>
    <div className={css.age}>
      <TextField
        label={texts.maximumSecretAgeDays}
        inputMode="numeric"
        autoComplete="off"
        placeholder={texts.noLimit}
        value={values.maxKeyAge}
        mistake={mistakes['maxKeyAge']}
        onValue={(maxKeyAge) => set({ maxKeyAge: maxKeyAge.trim() })}
      />
    </div>
  </div>
)

const graceEnd = (from: ApiPolicyFrom[PolicyRule]): string | null =>
  typeof from === 'object' && from !== null ? from.from : from

const isOn = (values: PolicyForm, rule: PolicyRule): boolean =>
  rule === 'maxKeyAgeDays' ? values.maxKeyAge !== '' : values[fieldOf[rule]]

/** How many keys the rule stops, and until when it has mercy on those that exist. */
function Effect({
  isOn,
  rule,
  from,
  preview: { shown, isCurrent },
}: {
  /** One that is off stops no keys, and says nothing of those that it would stop. */
  readonly isOn: boolean
  readonly rule: PolicyRule
  readonly from: string | null
  readonly preview: Preview
}): ReactNode {
  const count = shown?.rules.find((each) => each.rule === rule)?.keys ?? 0
  const isGraced = from !== null && isToCome(from)
  return (
    <>
      {isOn && (
        <span data-waiting={!isCurrent || undefined} className={css.count}>
          <Badge tone={count === 0 ? 'neutral' : 'warn'}>
            {shown === undefined ? texts.counting : stopsText(count)}
          </Badge>
        </span>
      )}
      {isGraced && <span className={css.about}>{texts.gracePeriodForExistingKeys(dayText(new Date(from)))}</span>}
    </>
  )
}
