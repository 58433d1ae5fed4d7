// The rules of the policy, one below the other: what each demands, how it is set, and how many keys it stops.
import type { ReactNode } from 'react'
import type { PolicyRule } from '#contract/key-policy.ts'
import css from './policy.module.css'
import { ruleWords } from './rule-words.ts'

export const Rules = ({ children }: { readonly children: ReactNode }): ReactNode => (
  <ul className={css.rules}>{children}</ul>
)

/** `control`: in the place of the title and what it is good for, which it then says itself. */
export const Rule = ({
  rule,
  control,
  aside,
}: {
  readonly rule: PolicyRule
  readonly control?: ReactNode
  readonly aside: ReactNode
}): ReactNode => (
  <li className={css.rule}>
    <div className={css.demand}>
      {control ?? (
        <>
          <p className={css.title}>{ruleWords[rule].title}</p>
          <p className={css.about}>{ruleWords[rule].about}</p>
        </>
      )}
    </div>
    <div className={css.aside}>{aside}</div>
  </li>
)
