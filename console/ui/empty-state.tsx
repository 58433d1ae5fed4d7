// An empty list: explains what will be listed, with one action and one sample, which is called an example so that it is
// not read as a row.
import type { ReactNode } from 'react'
import css from './empty-state.module.css'
import { Icon, type IconName } from './icon.tsx'
import { withCode } from './inline-code.tsx'
import { texts } from './texts.tsx'

export const EmptyState = ({
  icon,
  title,
  text,
  action,
  sample,
}: {
  readonly icon: IconName
  readonly title: string
  readonly text: ReactNode
  readonly action?: ReactNode
  readonly sample?: ReactNode
}): ReactNode => (
  <div className={css.empty}>
    <span className={css.icon}>
      <Icon name={icon} />
    </span>
    <h2 className={css.title}>{title}</h2>
    <p className={css.text}>{withCode(text)}</p>
    {action !== undefined && <div>{action}</div>}
    {sample !== undefined && (
      <div className={css.sample}>
        <p className={css.example}>{texts.example}</p>
        {sample}
      </div>
    )}
  </div>
)
