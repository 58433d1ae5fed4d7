import { Tabs as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import css from './tabs.module.css'

type Tab = { readonly id: string; readonly label: string; readonly content: ReactNode }

export const Tabs = ({ label, tabs }: { readonly label: string; readonly tabs: readonly Tab[] }): ReactNode => (
  <Radix.Root {...(tabs[0] && { defaultValue: tabs[0].id })}>
    <Radix.List className={css.list} aria-label={label}>
      {tabs.map((tab) => (
        <Radix.Trigger key={tab.id} value={tab.id} className={css.tab}>
          {tab.label}
        </Radix.Trigger>
      ))}
    </Radix.List>
    {tabs.map((tab) => (
      <Radix.Content key={tab.id} value={tab.id} className={css.content}>
        {tab.content}
      </Radix.Content>
    ))}
  </Radix.Root>
)
