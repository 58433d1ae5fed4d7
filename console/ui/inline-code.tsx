import type { ReactNode } from 'react'

/** Texts of the API name fields and values in backticks: people see them as code. */
export const withCode = (text: ReactNode): ReactNode =>
  typeof text !== 'string'
    ? text
    : // Every second part stood in backticks. Parts have no identity of their own.
      // oxlint-disable-next-line react/no-array-index-key
      text.split(/`([^`]+)`/).map((part, n) => (n % 2 === 1 ? <code key={n}>{part}</code> : part))
