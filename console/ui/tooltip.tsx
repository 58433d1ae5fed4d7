// A short text beside what has the pointer or the focus. It repeats or explains: nothing is found in it alone.
import { Tooltip as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import css from './tooltip.module.css'

const delayMs = 300

export const Tooltip = ({ text, children }: { readonly text: ReactNode; readonly children: ReactNode }): ReactNode => (
  <Radix.Provider delayDuration={delayMs}>
    <Radix.Root>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content className={css.tooltip} sideOffset={6} collisionPadding={8}>
          {text}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  </Radix.Provider>
)
